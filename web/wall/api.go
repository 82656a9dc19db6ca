package wall

import (
	"net/http"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/api"
	"attnatlas/web/site"
)

// data is a request for numbers: a state, and the requested layers, heads and maps.
type data struct {
	state address.State
	api.Query
}

// dataOf reads a request for numbers.
func (s *Views) dataOf(q address.Query) (data, error) {
	v, st := q.Values, q.State
	d := data{state: st, Query: api.Query{AllLayers: !v.Has(address.Layer), AllHeads: !v.Has(address.Head),
		Maps: address.Names(v)}}
	if name := st.Show.Derived(); name != "" && len(d.Maps) == 0 {
		d.Maps = []string{name}
	}
	if methods := exhibit.MethodsOf(d.Maps...); len(methods) > 1 {
		return data{}, fault.Errorf(fault.Invalid, "param.both", "methods", messages.List(methods))
	}
	if len(d.Maps) > 0 {
		d.state = st.For(d.Maps...)
	}
	if d.state.OneLayer() {
		d.AllLayers = false // only one is measured
	}
	if !v.Has(address.Mechanisms) {
		d.state.Mechanisms = s.FirstWall()
	}
	d.Choice = d.state.Choice
	return d, nil
}

// ServeAttend answers GET /api/v1/attend.
func (s *Views) ServeAttend(w http.ResponseWriter, r *http.Request, q address.Query) error {
	d, err := s.dataOf(q)
	if err != nil {
		return err
	}
	sel, err := s.Inspect(r.Context(), d.state)
	if err != nil {
		return err
	}
	if err := sel.CheckNames(d.Maps); err != nil {
		return err
	}
	answer, errs := api.NewAttend(sel.Report, d.state.Mask.String()), []error{}
	for i := range sel.Report.Mechanisms {
		m, err := api.NewMechanism(sel, &sel.Report.Mechanisms[i], d.Query, site.Language(r))
		if err != nil {
			s.LogUnforeseen(r, err)
			m = api.AttendMechanism{ID: m.ID, Error: site.Language(r).Say(site.MessageOf(err)), RetryAfter: site.AgainAfter(err)}
		}
		answer.Mechanisms, errs = append(answer.Mechanisms, m), append(errs, err)
	}
	if err := site.NothingAnswered(errs); err != nil {
		return err
	}
	size := answer.Size()
	if size > site.MostDataBytes {
		return fault.Errorf(fault.TooLarge, "error.data-bytes", "megabytes", size>>20, "most", site.MostDataBytes>>20)
	}
	held := site.ResponseOf(r.Context())
	if err := held.Room(size); err != nil {
		return err
	}
	body, err := answer.AppendJSON(make([]byte, 0, size))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	return held.Take(body)
}

// isPart reports whether any result has a part with this name, which has a map of its own.
func isPart(r *engine.Report, name string) bool {
	return slices.ContainsFunc(r.Mechanisms, func(res engine.Result) bool {
		return slices.ContainsFunc(res.Parts, func(p engine.Part) bool { return p.Name == name })
	})
}

// serveDrawing answers GET /api/v1/drawing.
func (s *Views) serveDrawing(w http.ResponseWriter, r *http.Request, q address.Query) error {
	answer, err := s.drawing(r, q)
	if err != nil {
		return err
	}
	return site.SendJSON(w, answer)
}

// drawing returns the maps that a page draws.
func (s *Views) drawing(r *http.Request, q address.Query) (answer api.Drawing, err error) {
	d, err := s.dataOf(q)
	if err != nil {
		return answer, err
	}
	drawn, _ := address.DrawnTable.Decode(q.Values)
	of, detail := drawn.Of, api.WithNumbers
	if drawn.Without {
		detail = api.ColoursOnly
	}
	sel, second, err := s.InspectBoth(r.Context(), d.state)
	if err != nil {
		return answer, err
	}
	named := slices.DeleteFunc(slices.Clone(d.Maps),
		func(name string) bool { return name == exhibit.HeadSheet || isPart(sel.Report, name) })
	if err := sel.CheckNames(named); err != nil {
		return answer, err
	}
	if i := slices.IndexFunc(of, func(id string) bool { return sel.Result(id) == nil }); i >= 0 {
		return answer, fault.Errorf(fault.NotFound, "error.not-in-report", "id", messages.Quote(of[i]))
	}
	answer = api.Drawing{Version: 1, Mechanisms: []api.DrawingMechanism{}}
	var errs []error
	for i := range sel.Report.Mechanisms {
		res := &sel.Report.Mechanisms[i]
		if len(of) > 0 && !slices.Contains(of, res.ID) {
			continue
		}
		m := api.DrawingMechanism{ID: res.ID}
		if m.Maps, err = api.NewDrawing(sel, res, d.Maps, detail, site.Language(r)); err != nil {
			s.LogUnforeseen(r, err)
			m.Maps, m.Error = nil, site.Language(r).Say(site.MessageOf(err))
		} else {
			m.Maps = append(m.Maps, secondMaps(sel, second, res.ID, detail, site.Language(r))...)
		}
		answer.Mechanisms, errs = append(answer.Mechanisms, m), append(errs, err)
	}
	return answer, site.NothingAnswered(errs)
}

// secondMaps returns a mechanism's maps of the second text. It returns none if there is no second text, or if the
// maps cannot be compared; the card says why.
func secondMaps(sel, second *exhibit.Selection, id string, detail api.Detail, l *messages.Language) []api.DrawingMap {
	if second == nil {
		return nil
	}
	c, err := sel.Against(second, id)
	if err != nil {
		return nil
	}
	return api.NewSecond(c, detail, l)
}
