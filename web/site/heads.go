package site

import (
	"bytes"
	"net"
	"net/http"
	"sync/atomic"
)

// Bounds of what comes in before a request is read: of all connections together, and for each, which it may have
// whatever others send. A line of a header takes more memory than its bytes, because it becomes an entry of a map.
const (
	mostHeads = 32 << 20 // bytes
	smallHead = 16 << 10 // bytes
	lineBytes = 256
)

// heads bounds the memory of headers that have not ended. net/http keeps them before any of our code sees a request, so
// many that never end would take memory that nobody has claimed.
type heads struct {
	net.Listener
	held atomic.Int64 // bytes, of all connections
}

// Accept returns the next connection, which counts what it reads until its request is there.
func (h *heads) Accept() (net.Conn, error) {
	c, err := h.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &head{Conn: c, all: h}, nil
}

// changed hears from the HTTP server what a connection does.
func (h *heads) changed(c net.Conn, state http.ConnState) {
	if c, ok := c.(*head); ok {
		c.read.Store(state != http.StateNew && state != http.StateIdle)
		h.held.Add(-c.held.Swap(0))
	}
}

// head is a connection, and what it holds of a header that has not ended.
type head struct {
	net.Conn
	all  *heads
	read atomic.Bool // the request is there
	held atomic.Int64
}

// Read fails when headers that have not ended take too much memory, and this one takes more than a small one.
func (c *head) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n <= 0 || c.read.Load() {
		return n, err
	}
	more := int64(n + lineBytes*bytes.Count(p[:n], []byte("\n")))
	if all := c.all.held.Add(more); c.held.Add(more) > smallHead && all > mostHeads {
		return 0, net.ErrClosed // its client reads nothing yet
	}
	return n, err
}
