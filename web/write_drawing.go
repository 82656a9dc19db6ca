package web

import (
	"net/http"
	"net/url"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/figure"
)

// written says whether the maps are those of what the encoder–decoder writes.
func (q drawingQuery) written() bool {
	of := func(name string) bool {
		return slices.ContainsFunc(writeMaps, func(m writeMap) bool { return m.name == name })
	}
	return slices.Equal(q.state.Mechanisms, []string{encoder.EncoderDecoder.ID}) && len(q.maps) > 0 && of(q.maps[0])
}

func (s *Server) drawWritten(r *http.Request, q drawingQuery) (DrawingMechanism, error) {
	answer := DrawingMechanism{ID: encoder.EncoderDecoder.ID}
	maps, bad := writeMapsOf(url.Values{keyMap: q.maps})
	if len(bad) > 0 {
		return answer, joinParams(bad)
	}
	written, err := s.rewritten(r.Context(), q.state.Text)
	if err != nil {
		return answer, err
	}
	for _, of := range maps {
		spec, err := writeFigure{writeState: writeState{State: q.state}, of: of}.spec(written)
		if err != nil {
			return answer, err
		}
		m, err := q.drawMap([]figure.Spec{spec})
		if err != nil {
			return answer, err
		}
		m.Name = of.name
		answer.Maps = append(answer.Maps, m)
	}
	return answer, nil
}

// writeDrawingURL is the address of the maps of what was written.
func writeDrawingURL(s writeState, w *engine.Written) string {
	s.Mechanisms = []string{encoder.EncoderDecoder.ID}
	if s.Layer == 0 {
		s.Layer = len(w.Cross)
	}
	var names []string
	for _, m := range writeMaps {
		names = append(names, m.name)
	}
	return drawingURL(s.State, "", names)
}
