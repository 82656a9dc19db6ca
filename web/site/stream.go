package site

import (
	"net/http"
	"time"
)

// Lines is the content type of an answer that is sent in lines, each with a JSON value.
const Lines = "application/x-ndjson"

// Parts sends an answer part by part, so that its memory is that of one part. Each part has the time of an answer of its
// size: a client that reads too slowly is disconnected.
type Parts struct {
	to    http.ResponseWriter
	meter *meter
}

// Stream begins an answer in lines. Its status is sent with the first line, so an error after it is the last line: the
// same object that is otherwise the whole answer.
func (h *Response) Stream() *Parts {
	h.header.Set("Content-Type", Lines)
	h.header.Set("Cache-Control", "no-store")
	h.header.Set("X-Accel-Buffering", "no") // nginx passes each line on at once
	h.parts = &Parts{h.to, h.meter}
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

// finish sends the error that the handler has left, if there is one, and returns the status for the metrics.
func (h *Response) finish(r *http.Request) int {
	if departed(r) {
		return statusDeparted
	}
	if h.body.Len() > 0 {
		_, _ = h.parts.Write(h.body.Bytes()) // an error means that the client has left
	}
	return h.status
}
