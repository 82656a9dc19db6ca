package site

import (
	"net/http"
	"time"
)

// Lines is the content type of an answer that is sent in lines, each with a JSON value.
const Lines = "application/x-ndjson"

// Parts sends an answer part by part, so that only one part is in memory. Each part gets as much time as an answer of
// its size: a client that reads too slowly is disconnected.
type Parts struct {
	to    http.ResponseWriter
	kind  string
	meter *meter
}

// Stream begins an answer of a content type. The status is sent with the first part. A later error is sent as the
// last of Lines, in the form of an error answer. In other types, an error closes the connection.
func (h *Response) Stream(kind string) *Parts {
	h.header.Set("Content-Type", kind)
	h.header.Set("Cache-Control", "no-store")
	h.header.Set("X-Accel-Buffering", "no") // nginx passes each line on at once
	h.parts = &Parts{h.to, kind, h.meter}
	return h.parts
}

// Write sends a part.
func (p *Parts) Write(part []byte) (int, error) {
	c := http.NewResponseController(p.to)
	_ = c.SetWriteDeadline(time.Now().Add(readStart + time.Duration(len(part))*time.Second/readSpeed)) // as in send
	n, err := p.to.Write(part)
	p.meter.sent.Add(int64(n))
	if err == nil {
		_ = c.Flush() // a recorder, and a browser's own server, pass an answer on when it is complete
	}
	return n, err
}

// Broken is a client in this process that receives the error that ends a stream.
type Broken interface{ Break(problem []byte) }

// finish sends the error of the handler, if there is one. It returns the status for the metrics, and a function that
// ends the answer.
func (h *Response) finish(r *http.Request) (status int, end func()) {
	end = func() {}
	if departed(r) {
		return statusDeparted, end
	}
	if h.body.Len() == 0 {
		return h.status, end
	}
	if to, ok := h.to.(Broken); ok {
		to.Break(h.body.Bytes())
	} else if h.parts.kind == Lines {
		_, _ = h.parts.Write(h.body.Bytes()) // an error means that the client has left
	} else {
		end = func() { panic(http.ErrAbortHandler) }
	}
	return h.status, end
}
