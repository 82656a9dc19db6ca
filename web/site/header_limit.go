package site

import (
	"bytes"
	"net"
	"net/http"
	"sync/atomic"
)

// These constants limit the bytes that arrive before a request is complete: for all connections together, and for
// each one, which always has room for a small header. A header line takes more memory than its bytes, because it
// becomes an entry of a map.
const (
	mostHeads = 32 << 20 // bytes
	smallHead = 16 << 10 // bytes
	lineBytes = 256
)

// headerLimit limits the memory of incomplete headers. net/http keeps them before any of our code sees the request, so
// many incomplete headers would take memory that no request has claimed.
type headerLimit struct {
	net.Listener
	held atomic.Int64 // of all connections
}

// Accept returns the next connection. The connection counts the bytes that it reads until its request is complete.
func (h *headerLimit) Accept() (net.Conn, error) {
	c, err := h.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &head{Conn: c, all: h}, nil
}

// changed is the callback for changes in the state of a connection.
func (h *headerLimit) changed(c net.Conn, state http.ConnState) {
	if c, ok := c.(*head); ok {
		c.read.Store(state != http.StateNew && state != http.StateIdle)
		h.held.Add(-c.held.Swap(0))
	}
}

// head is a connection with the bytes that it holds of an incomplete header.
type head struct {
	net.Conn
	all  *headerLimit
	read atomic.Bool // the request is complete
	held atomic.Int64
}

// Read fails if incomplete headers take too much memory, and this one takes more than a small header.
func (c *head) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n <= 0 || c.read.Load() {
		return n, err
	}
	more := int64(n + lineBytes*bytes.Count(p[:n], []byte("\n")))
	if all := c.all.held.Add(more); c.held.Add(more) > smallHead && all > mostHeads {
		return 0, net.ErrClosed // its client reads no answer yet
	}
	return n, err
}
