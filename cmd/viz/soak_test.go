package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"attnatlas/web/browsertest"
)

// Visitors think for about a second before they ask again.
const (
	soakVisitors = 64
	soakThinking = time.Second
)

// TestSoak: 64 visitors use a server in a process of its own for the duration VIZ_SOAK, next to a training with the
// lowest priority: make soak. One in five leaves before the answer, and some read or write slowly. The only permitted
// server error is a 503 with a retry time, for heavy requests. Memory must stay within soakAllows. Times, refusals
// and the rise of memory are checked only if VIZ_SOAK_QUIET is set, because nothing else may run then.
func TestSoak(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("VIZ_SOAK"))
	if err != nil {
		t.Skip("SKIPPED, NOT CHECKED: VIZ_SOAK, such as 10m, says how long visitors use the server (make soak)")
	}
	bin := filepath.Join(t.TempDir(), "viz")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	s := startSoaked(t, bin)
	train := trainBeside(t, bin)
	for range 20 { // opens what the server opens only once
		useOnce(t.Context(), s, &notes{}, rand.New(rand.NewPCG(0, 0)))
	}
	before := s.look(t)
	var resident []int64
	stop := every(max(length/soakSamples, 10*time.Millisecond), func() {
		now, _ := s.memory()
		resident = append(resident, now)
	})
	all := s.visitors(t, length)
	stop()
	train()
	after := s.settled(t, before)
	all.print(t)
	t.Logf("resident %d MB before, %d at most, %d after, %+d over the last half; open files %d, %d; goroutines %d, %d; %v of processors",
		before.resident>>20, after.peak>>20, after.resident>>20, rise(resident)>>20, before.files, after.files,
		before.routines, after.routines,
		after.processor-before.processor)
	got := soakFigures{
		wall: all.at("wall", 0.99), refused: all.refused(), resident: after.resident, peak: after.peak, rise: rise(resident),
		files: after.files - before.files, routines: after.routines - before.routines,
	}
	if os.Getenv("VIZ_SOAK_QUIET") == "" { // times mean nothing on a machine with other load
		got.wall, got.refused, got.rise = 0, nil, 0
	}
	for _, broken := range soakAllows.broken(got) {
		t.Error(broken)
	}
	s.stop(t)
}

// every calls a function repeatedly, until stop is called.
func every(pause time.Duration, look func()) (stop func()) {
	ctx, end := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		for ticker := time.NewTicker(pause); ctx.Err() == nil; {
			look()
			select {
			case <-ticker.C:
			case <-ctx.Done():
				ticker.Stop()
			}
		}
	})
	return func() { end(); running.Wait() }
}

// soaked is the server under test.
type soaked struct {
	cmd           *exec.Cmd
	page, metrics string
	log           *tail
}

// startSoaked starts a server on free ports.
func startSoaked(t *testing.T, bin string) *soaked {
	t.Helper()
	s := &soaked{cmd: exec.Command(bin, "serve", "--addr", "localhost:0", "--metrics", "localhost:0"), log: &tail{}}
	out, err := s.cmd.StdoutPipe()
	must(t, err)
	errs, err := s.cmd.StderrPipe()
	must(t, err)
	must(t, s.cmd.Start())
	t.Cleanup(func() { s.cmd.Process.Kill() })
	first := func(r io.Reader) string {
		line, err := bufio.NewReader(r).ReadString('\n')
		must(t, err)
		_, rest, _ := strings.Cut(line, "http://")
		return "http://" + strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" /\n", r) })[0]
	}
	s.metrics, s.page = first(errs), first(out)
	go io.Copy(s.log, errs)
	return s
}

// tail keeps the end of a process's output.
type tail struct {
	sync.Mutex
	said []byte
}

func (l *tail) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	l.said = append(l.said, p...)
	l.said = l.said[max(0, len(l.said)-4096):]
	return len(p), nil
}

// trainBeside trains a model with the lowest priority, until stop is called.
func trainBeside(t *testing.T, bin string) (stop func()) {
	t.Helper()
	data, random := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for range 400 {
		text.WriteString(browsertest.Words(random, 12) + ".\n")
	}
	must(t, os.WriteFile(filepath.Join(data, "a.txt"), []byte(text.String()), 0o644))
	cmd := exec.Command("nice", "-n", "19", bin, "train", "dense", "--data", data, "--out", data+"/out", "--state", data+
		"/state", "--steps", "1000000", "--threads", "1")
	must(t, cmd.Start())
	return func() {
		cmd.Process.Kill()
		if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Errorf("the training beside ended by itself: %v", err)
		}
	}
}

// state holds the resources of a process.
type state struct {
	resident, peak  int64
	files, routines int
	processor       time.Duration // of all processors, since the start
}

func (s *soaked) look(t *testing.T) (now state) {
	t.Helper()
	now.resident, now.peak = s.memory()
	if now.resident == 0 {
		t.Skip("SKIPPED, NOT CHECKED: there is no /proc")
	}
	files, err := os.ReadDir(s.proc("fd"))
	must(t, err)
	now.files = len(files)
	stat, err := os.ReadFile(s.proc("stat"))
	must(t, err)
	for _, ticks := range strings.Fields(string(stat))[13:15] { // utime and stime, in hundredths of a second
		n, err := strconv.Atoi(ticks)
		must(t, err)
		now.processor += time.Duration(n) * time.Second / 100
	}
	r, err := http.Get(s.metrics + "/metrics")
	must(t, err)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	must(t, err)
	_, rest, _ := strings.Cut(string(body), "\nviz_goroutines ")
	now.routines, err = strconv.Atoi(strings.Fields(rest)[0])
	must(t, err)
	return now
}

// proc returns a file of /proc about the server.
func (s *soaked) proc(name string) string { return fmt.Sprintf("/proc/%d/%s", s.cmd.Process.Pid, name) }

// memory returns the resident bytes of the server, now and at most, or zeros where there is no /proc.
func (s *soaked) memory() (resident, peak int64) {
	status, err := os.ReadFile(s.proc("status"))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(status)) {
		key, rest, _ := strings.Cut(line, ":")
		if into := map[string]*int64{"VmRSS": &resident, "VmHWM": &peak}[key]; into != nil {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			*into = kb << 10
		}
	}
	return resident, peak
}

// settled waits, at most half a minute, until nothing is open that was not open before.
func (s *soaked) settled(t *testing.T, before state) state {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Second) {
		now := s.look(t)
		if now.files <= before.files+soakAllows.files && now.routines <= before.routines+soakAllows.routines ||
			time.Now().After(end) {
			return now
		}
	}
}

// stop ends the server like its user.
func (s *soaked) stop(t *testing.T) {
	t.Helper()
	must(t, s.cmd.Process.Signal(syscall.SIGTERM))
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the server ended with %v: %s", err, s.log.said)
		}
	case <-time.After(15 * time.Second):
		t.Error("the server does not stop")
	}
}

// visitors use the server for some time.
func (s *soaked) visitors(t *testing.T, length time.Duration) *notes {
	ctx, end := context.WithTimeout(t.Context(), length)
	defer end()
	n := &notes{}
	var all sync.WaitGroup
	for v := range soakVisitors {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(v), 12))
			for ctx.Err() == nil {
				useOnce(ctx, s, n, random)
				time.Sleep(soakThinking/2 + time.Duration(random.Int64N(int64(soakThinking))))
			}
		})
	}
	all.Wait()
	for _, wrong := range n.wrong {
		t.Error(wrong)
	}
	if len(n.wrong) > 0 {
		t.Logf("the server's last words: %s", s.log.said)
	}
	return n
}

// kinds are the actions of visitors, with their percentages. Heavy ones may be refused.
var kinds = []struct {
	name  string
	often int
	path  string
	heavy bool
}{
	{"wall", 24, "/?text=%s", false},
	{"all mechanisms", 4, "/?m=dot-product,random,dense,fastformer,linformer,linear,longformer,bigbird,reformer,bert,universal,gpt2&text=%s", true},
	{"mechanism", 12, "/m/dense?text=%s", false},
	{"written", 4, "/m/encoder-decoder?text=one+two+three", false},
	{"list", 6, "/m", false},
	{"export", 12, "/export/fastformer.png?map=alpha&text=%s", false},
	{"large export", 2, "/export/dense.png?dpi=300&text=%s", true},
	{"attend", 10, "/api/v1/attend?text=%s", false},
	{"drawing", 12, "/api/v1/drawing?m=dense,random&text=%s", false},
	{"influence", 4, "/api/v1/attend?m=shuffle-exchange&layer=1&map=influence&text=%s", true},
	{"too long", 3, "/?text=" + strings.Repeat("%%E6%%BC%%A2", 20_000) + "%.0s", false},
	{"hostile", 3, "/api/v1/attend?text=%s" + strings.Repeat("&%%", 100_000), false},
	{"slow reader", 2, "/api/v1/attend?m=dense,random,dot-product,linear,longformer&text=%s", true},
	{"slow writer", 2, "", false},
}

// useOnce makes one request.
func useOnce(ctx context.Context, s *soaked, n *notes, random *rand.Rand) {
	i, at := 0, random.IntN(100)
	for at >= kinds[i].often {
		at -= kinds[i].often
		i++
	}
	k := kinds[i]
	if k.name == "slow writer" {
		began := time.Now()
		slowWriter(ctx, strings.TrimPrefix(s.page, "http://"))
		n.add(k.name, 0, time.Since(began), nil)
		return
	}
	text := "The cat sat on the mat because it was tired."
	if random.IntN(3) > 0 {
		text = browsertest.Words(random, 2+random.IntN(40))
	}
	target := s.page + k.path
	if strings.Contains(k.path, "%") {
		target = s.page + fmt.Sprintf(k.path, url.QueryEscape(text))
	}
	// A visitor who stays when the soak ends may have to wait for the longest answer.
	ctx, leave := context.WithTimeout(context.WithoutCancel(ctx), 70*time.Second)
	defer leave()
	left := random.IntN(5) == 0
	if left {
		defer time.AfterFunc(time.Duration(random.IntN(300))*time.Millisecond, leave).Stop()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		n.add(k.name, 0, 0, err)
		return
	}
	began := time.Now()
	answer, err := http.DefaultClient.Do(r)
	if err == nil {
		defer answer.Body.Close()
		err = read(answer.Body, k.name == "slow reader")
	}
	switch {
	case left:
		n.add(k.name, 499, 0, nil)
	case err != nil:
		n.add(k.name, 0, 0, err)
	case answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") == "":
		n.add(k.name, answer.StatusCode, 0, errors.New("503 without Retry-After"))
	default:
		n.add(k.name, answer.StatusCode, time.Since(began), nil)
	}
}

// read reads an answer, slowly or not.
func read(body io.Reader, slowly bool) error {
	if !slowly {
		_, err := io.Copy(io.Discard, body)
		return err
	}
	part := make([]byte, 16<<10)
	for {
		_, err := io.ReadFull(body, part)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil // also if the server lost patience
		}
		if err != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// slowWriter never completes its header. The server hangs up, which is counted as an answer without a status.
func slowWriter(ctx context.Context, address string) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer c.Close()
	for _, b := range []byte("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 100)) {
		if _, err := c.Write([]byte{b}); err != nil || ctx.Err() != nil {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// notes record the results of requests.
type notes struct {
	sync.Mutex
	times map[string][]time.Duration // of answers, by kind
	codes map[string]map[int]int
	wrong []string
}

func (n *notes) add(kind string, code int, took time.Duration, err error) {
	n.Lock()
	defer n.Unlock()
	if n.times == nil {
		n.times, n.codes = map[string][]time.Duration{}, map[string]map[int]int{}
	}
	if n.codes[kind] == nil {
		n.codes[kind] = map[int]int{}
	}
	n.codes[kind][code]++
	if took > 0 {
		n.times[kind] = append(n.times[kind], took)
	}
	if err == nil && code >= 500 && code != http.StatusServiceUnavailable {
		err = fmt.Errorf("status %d", code)
	}
	if err != nil && len(n.wrong) < 20 {
		n.wrong = append(n.wrong, fmt.Sprintf("%s: %.200v", kind, err))
	}
}

// at returns the time within which a share of a kind's answers came.
func (n *notes) at(kind string, share float64) time.Duration {
	list := n.times[kind]
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[int(share*float64(len(list)-1))].Round(time.Millisecond)
}

// refused counts the 503 answers to light requests, by kind.
func (n *notes) refused() map[string]int {
	refused := map[string]int{}
	for _, k := range kinds {
		if count := n.codes[k.name][http.StatusServiceUnavailable]; count > 0 && !k.heavy {
			refused[k.name] = count
		}
	}
	return refused
}

// print prints the times of every kind.
func (n *notes) print(t *testing.T) {
	total := 0
	for _, k := range kinds {
		for _, count := range n.codes[k.name] {
			total += count
		}
		t.Logf("%-15s %6d answers  p50 %8v  p95 %8v  p99 %8v  %v", k.name, len(n.times[k.name]),
			n.at(k.name, 0.5), n.at(k.name, 0.95), n.at(k.name, 0.99), n.codes[k.name])
	}
	t.Logf("%d requests by %d visitors", total, soakVisitors)
}
