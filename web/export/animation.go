package export

import (
	"net/http"
	"strconv"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/web/address"
	"attnatlas/web/mechanism"
	"attnatlas/web/site"
)

// serveAnimation answers GET /export/{mechanism}.apng: every frame of a recording.
func (s *pages) serveAnimation(w http.ResponseWriter, r *http.Request, id string) error {
	f, err := s.decodeFigure(r, id)
	if err != nil {
		return err
	}
	rec, err := s.RecordingOf(id)
	if err != nil {
		return err
	}
	st := f.State
	st.Mechanisms = []string{id}
	if v, _ := address.ParseQuery(r.URL.RawQuery); !v.Has(address.Text) {
		st.Text = rec.Texts[0]
	}
	f.State = s.Lasting(r.Context(), st)
	frames, name, err := s.frames(r, f, rec.Steps)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/apng")
	w.Header().Set("Content-Disposition", "inline; filename="+strconv.Quote(name))
	site.ResponseOf(r.Context()).Allow(mostFigureBytes)
	g := frames[0].Grid
	one := site.Pixels(g.Rows, g.Cols, f.Appearance)
	if one*len(frames) > mostAnimated {
		return fault.Errorf(fault.Invalid, "error.animation", "most", mostAnimated/1_000_000)
	}
	return site.InTurn(r.Context(), s.Long, float64(one*len(frames))*operationsPerPixel, site.LongOperations, func() error {
		return s.Draw(r.Context(), one, func() error { return figure.Animate(w, frames) })
	})
}

// frames returns the figures of a map after some training steps, and the name of their file.
func (s *pages) frames(r *http.Request, f address.FigureRequest, steps []int) (frames []figure.Figure, name string,
	err error) {
	st := f.State
	for _, step := range steps {
		st.After = strconv.Itoa(step)
		rep, err := s.Replay(st)
		if err != nil {
			return nil, "", err
		}
		x, err := exhibit.Select(rep, st.InTextOrder()).Exhibit(st.Mechanisms[0], f.Map, f.Plane)
		if err != nil {
			return nil, "", err
		}
		f.Arcs = figure.Arcs{} // recordings have no arcs
		meta := x.Provenance(site.Language(r), address.FigureRequest{State: st, Appearance: f.Appearance}.Source(x,
			mechanism.Animated), s.Version)
		frames, name = append(frames, x.Drawing(site.Language(r), f.Appearance, meta)), x.FileName(mechanism.Animated)
	}
	return frames, name, nil
}

// mostAnimated is the most pixels of all frames together.
const mostAnimated = 4 * figure.MaxPixels

// operationsPerPixel estimates the cost of drawing a pixel, in the unit of the queue.
const operationsPerPixel = 500
