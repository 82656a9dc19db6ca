package site_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"attnatlas/web/webtest"
)

// pipes is a listener within the test, whose connections use the test's clock.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, open := <-p
	if !open {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "unix"} }

// pipesOnce closes its listener only once.
type pipesOnce struct {
	pipes
	once *sync.Once
}

func (p pipesOnce) Close() error {
	p.once.Do(func() { close(p.pipes) })
	return nil
}

// connecting runs a server for the time of a test, and connects to it.
func connecting(t *testing.T) (connect func() net.Conn, stop func()) {
	t.Helper()
	l := pipesOnce{make(pipes, 2000), &sync.Once{}}
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	return func() net.Conn {
			here, there := net.Pipe()
			l.pipes <- there
			return here
		}, func() {
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			time.Sleep(5 * time.Second) // until slow clients have noticed
		}
}

// askAbout sends a complete request and reads the answer.
func askAbout(t *testing.T, c net.Conn) *http.Response {
	t.Helper()
	go io.WriteString(c, aboutRequest)
	return answer(t, c)
}

// answer reads a complete answer.
func answer(t *testing.T, c net.Conn) *http.Response {
	t.Helper()
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Error(err)
		return &http.Response{}
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	return r
}

// slowly sends one byte per second until the other side closes the connection.
func slowly(c net.Conn, text string) {
	for _, b := range []byte(text) {
		if _, err := c.Write([]byte{b}); err != nil {
			return
		}
		time.Sleep(time.Second)
	}
}

const aboutRequest = "GET /about HTTP/1.1\r\nHost: localhost\r\n\r\n"

// TestSlowHeaders: a connection without a complete header is closed after ten seconds, and delays no other client.
func TestSlowHeaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		connect, stop := connecting(t)
		defer stop()
		began, c := time.Now(), connect()
		go slowly(c, "GET / HTTP/1.1\r\nHost: localhost\r\nX: "+strings.Repeat("x", 1000))
		if r := askAbout(t, connect()); r.StatusCode != http.StatusOK || time.Since(began) > time.Second {
			t.Errorf("beside it: %d after %v", r.StatusCode, time.Since(began))
		}
		said, err := io.ReadAll(c)
		if took := time.Since(began); took < 9*time.Second || took > 11*time.Second || err != nil ||
			strings.Contains(string(said), " 200 ") {
			t.Errorf("closed after %v: %v, %s", took, err, said)
		}
	})
}

// TestSlowBodies: a client that sends a body too slowly gets an error after twenty seconds, and the connection is
// closed.
func TestSlowBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		connect, stop := connecting(t)
		defer stop()
		began, c := time.Now(), connect()
		go func() {
			io.WriteString(c, "POST /api/v1/attention HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
			slowly(c, `{"model": "`+strings.Repeat("x", 900))
		}()
		if r := askAbout(t, connect()); r.StatusCode != http.StatusOK || time.Since(began) > time.Second {
			t.Errorf("beside it: %d after %v", r.StatusCode, time.Since(began))
		}
		r := answer(t, c)
		said, _ := io.ReadAll(r.Body)
		if took := time.Since(began); r.StatusCode != http.StatusRequestTimeout || !r.Close || took < 19*time.Second ||
			took > 21*time.Second || strings.Contains(string(said), "pipe") {
			t.Errorf("answered %d after %v: %s", r.StatusCode, took, said)
		}
	})
}

// TestIdleConnections: 200 idle connections delay no other client, and are closed after a minute. If the maximum of
// connections sends nothing, a new client waits ten seconds.
func TestIdleConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		connect, stop := connecting(t)
		defer stop()
		began := time.Now()
		var all sync.WaitGroup
		for range 200 {
			c := connect()
			askAbout(t, c)
			all.Go(func() {
				said, err := io.ReadAll(c)
				if took := time.Since(began); took < 59*time.Second || took > 61*time.Second || err != nil || len(said) > 0 {
					t.Errorf("closed after %v: %v, %s", took, err, said)
				}
			})
		}
		if r := askAbout(t, connect()); r.StatusCode != http.StatusOK || time.Since(began) > time.Second {
			t.Errorf("beside them: %d after %v", r.StatusCode, time.Since(began))
		}
		all.Wait()

		began = time.Now()
		for range 1024 {
			connect()
		}
		if r := askAbout(t, connect()); r.StatusCode != http.StatusOK || time.Since(began) > 11*time.Second {
			t.Errorf("after them: %d after %v", r.StatusCode, time.Since(began))
		}
	})
}

// TestHeadsAreBoundedTogether: endless headers, with long lines or many lines, together take no more memory than a
// few long texts, and delay no other client.
func TestHeadsAreBoundedTogether(t *testing.T) {
	var lines strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&lines, "%x:\r\n", i)
	}
	for name, header := range map[string]string{
		"long": "GET /?text=" + strings.Repeat("x", 400_000), "many lines": "GET / HTTP/1.1\r\nHost: localhost\r\n" +
			lines.String(),
	} {
		base, stop := serve(t, &webtest.FakeEngine{})
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		var all []net.Conn
		var sent sync.WaitGroup
		for range 300 {
			c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, c)
			sent.Go(func() { io.WriteString(c, header) })
		}
		sent.Wait()
		time.Sleep(200 * time.Millisecond) // until the server has read it
		runtime.GC()
		runtime.ReadMemStats(&after)
		if taken := int64(after.HeapInuse) - int64(before.HeapInuse); taken > 80<<20 {
			t.Errorf("%s: %d MB are taken by headers that have not ended", name, taken>>20)
		}
		for _, words := range []int{1, 20} {
			r, err := http.Get(base + "/?text=" + strings.Repeat("cat+", words))
			if err != nil {
				t.Error(err)
				continue
			}
			r.Body.Close()
			if r.StatusCode != http.StatusOK {
				t.Errorf("%s: beside them %d", name, r.StatusCode)
			}
		}
		for _, c := range all {
			c.Close()
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
}

// TestHeadersAreBounded: a header with more lines or bytes than any browser sends is refused, and a large valid one
// is not.
func TestHeadersAreBounded(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	endless := "?" + strings.Repeat("a&", 100_000)
	for _, c := range []struct {
		lines, bytes, want int
		query              string
	}{
		{20, 100, 200, ""}, {200, 100, 200, ""}, {201, 10, 431, ""}, {3, 20_000, 200, ""}, {4, 20_000, 431, ""},
		{201, 10, 400, endless}, // the query is refused first
	} {
		r := httptest.NewRequest(http.MethodGet, "/about"+c.query, nil)
		r.Host, r.Header = "localhost", http.Header{}
		for i := range c.lines {
			r.Header.Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", c.bytes))
		}
		if w := webtest.Record(s, r); w.Code != c.want {
			t.Errorf("%d lines of %d bytes: %d, not %d: %s", c.lines, c.bytes, w.Code, c.want, w.Body)
		}
	}
}
