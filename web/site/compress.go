package site

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"attnatlas/static"
)

// leastPacked is the size from which compressing an answer is worth the time.
const leastPacked = 1 << 10

// compressed returns the body in the encoding that the client prefers: Brotli, gzip or none. Ranges of a file are
// never compressed.
func compressed(held *Response, r *http.Request) []byte {
	h, body := held.header, held.body.Bytes()
	if !compressible(h.Get("Content-Type")) || len(body) < leastPacked || held.status == http.StatusPartialContent {
		return body
	}
	packing := packingOf(r)
	if packing == nil {
		return body
	}
	lasting := held.status == http.StatusOK && unchanging(r.URL.Path, h)
	if known, ok := packed.Load(packing.encoding + r.URL.Path); ok && lasting {
		h.Set("Content-Encoding", packing.encoding)
		return known.([]byte)
	}
	small := &Response{header: h, ctx: r.Context(), share: held.share.Budget().Share(), most: 2 * len(body)}
	defer small.share.Set(0)
	small.body.Grow(len(body) / 4)
	z := packing.start(small)
	defer packing.end(z)
	const part = 256 << 10
	for at := 0; at < len(body); at += part {
		if _, err := z.Write(body[at:min(at+part, len(body))]); err != nil {
			return body // nobody waits any more, or the server is stopping
		}
	}
	if z.Close() != nil {
		return body
	}
	h.Set("Content-Encoding", packing.encoding)
	if lasting {
		packed.Store(packing.encoding+r.URL.Path, bytes.Clone(small.body.Bytes()))
	}
	return small.body.Bytes()
}

// packed holds compressed scripts and style sheets by encoding and path. It takes at most some megabytes, because the
// program has few such files.
var packed sync.Map

// unchanging reports whether an answer is a script or style sheet whose address changes with its content.
func unchanging(file string, h http.Header) bool {
	kind := path.Ext(file)
	return strings.HasPrefix(file, static.Root) && (kind == ".js" || kind == ".css") &&
		strings.HasSuffix(h.Get("Cache-Control"), "immutable")
}

// compressible reports whether compression makes answers of a content type smaller.
func compressible(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || kind == "image/svg+xml" ||
		kind == "font/ttf"
}

// packing is an encoding at a level, with a pool of idle packers. Making a packer takes longer than compressing most
// answers, because its tables take up to some megabytes.
type packing struct {
	encoding string
	idle     sync.Pool // of *packer
}

// packer compresses into a writer that can be replaced for each answer.
type packer struct {
	resettable
	to outlet
}

type resettable interface {
	io.WriteCloser
	Reset(to io.Writer)
}

// outlet is a writer whose target can be removed while its packer is idle.
type outlet struct{ io.Writer }

func newPacking(encoding string, compressor func() resettable) *packing {
	return &packing{encoding, sync.Pool{New: func() any { return &packer{resettable: compressor()} }}}
}

func (p *packing) start(to io.Writer) *packer {
	z := p.idle.Get().(*packer)
	z.to.Writer = to
	z.Reset(&z.to)
	return z
}

func (p *packing) end(z *packer) {
	z.to.Writer = nil
	p.idle.Put(z)
}

// Numbers in base64 are hardly smaller at a higher level, but take six times as long.
// Files that never change are compressed once for all visitors.
var gzipFiles, gzipPages, gzipNumbers = gzipAt(gzip.BestCompression), gzipAt(5), gzipAt(gzip.BestSpeed)

func gzipAt(level int) *packing {
	return newPacking("gzip", func() resettable {
		z, _ := gzip.NewWriterLevel(nil, level) // the level is valid
		return z
	})
}

// packingOf returns the encoding that a client prefers, or nil.
func packingOf(r *http.Request) *packing {
	brotli, zip := brotliPages, gzipPages
	if kind := path.Ext(r.URL.Path); kind == ".js" || kind == ".css" {
		brotli, zip = brotliFiles, gzipFiles
	}
	if strings.HasPrefix(r.URL.Path, "/api/") {
		brotli, zip = brotliNumbers, gzipNumbers
	}
	accept := strings.Join(r.Header.Values("Accept-Encoding"), ",")
	br, gz := liking(accept, "br"), liking(accept, "gzip")
	switch {
	case brotli != nil && br > 0 && br >= gz:
		return brotli
	case gz > 0:
		return zip
	}
	return nil
}

// liking returns the weight 0…1 of an encoding in an Accept-Encoding header (RFC 9110, 12.5.3).
func liking(accept, encoding string) float64 {
	others := 0.0
	for item := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(item, ";")
		q := 1.0
		if value, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(params), " ", ""), "q="); ok {
			q, _ = strconv.ParseFloat(value, 64) // a malformed weight counts as 0
		}
		switch name = strings.ToLower(strings.TrimSpace(name)); name {
		case encoding:
			return q
		case "*":
			others = q
		}
	}
	return others
}
