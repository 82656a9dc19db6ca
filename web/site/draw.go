package site

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
)

// PageType is the media type of HTML pages.
const PageType = "text/html; charset=utf-8"

// FileHeader sets the header of a figure as a file. An HTML page is self-contained and has its own script.
func FileHeader(h http.Header, mediaType, name string) {
	h.Set("Content-Type", mediaType)
	h.Set("Content-Disposition", "inline; filename="+strconv.Quote(name))
	if mediaType == PageType {
		_, frames, _ := strings.Cut(h.Get("Content-Security-Policy"), "frame-ancestors")
		h.Set("Content-Security-Policy", figure.PagePolicy+"; base-uri 'none'; form-action 'none'; frame-ancestors"+
			cmp.Or(frames, " 'none'"))
	}
}

// Pixels estimates the pixels of a figure with this many cells.
func Pixels(rows, cols int, look exhibit.Appearance) int {
	const inches = 11 // of a figure of default size, with its lettering
	if p := look.Preset; p.Width > 0 {
		return p.MostPixels(look.DPI)
	}
	dpi := max(look.DPI, 96)
	most := inches * dpi * inches * dpi
	if look.Scale > 0 {
		most = (rows*look.Scale + inches/2*dpi) * (cols*look.Scale + inches/2*dpi)
	}
	return min(most, figure.MaxPixels)
}

// Draw runs encode when there is memory for this many pixels. It waits no longer than the server's patience.
func (s *Server) Draw(ctx context.Context, pixels int, encode func() error) error {
	weight := int64(max(pixels, FigurePixels/runtime.GOMAXPROCS(0)))
	waiting, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	if s.Drawing.Acquire(waiting, weight) != nil {
		return fault.Errorf(fault.Busy, "error.busy-drawing")
	}
	defer s.Drawing.Release(weight)
	if err := encode(); err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	return nil
}
