package web

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Keys that only /api/v1/drawing has.
const (
	keyMapsOf = "of"     // ids of the mechanisms whose maps are wanted
	keyValues = "values" // whether the numbers are
)

// Drawing is the answer of /api/v1/drawing: maps as pages and figures colour them.
type Drawing struct {
	Version    int                `json:"version" doc:"Version of this format"`
	Mechanisms []DrawingMechanism `json:"mechanisms"`
}

// DrawingMechanism are the maps of one mechanism, or an error.
type DrawingMechanism struct {
	ID    string       `json:"id"`
	Error string       `json:"error,omitempty" doc:"Why there are no maps"`
	Maps  []DrawingMap `json:"maps,omitempty"`
}

// DrawingMap is a map of one layer and one head, or of the mean of the heads.
type DrawingMap struct {
	Name   string         `json:"name"`
	Kind   string         `json:"kind" enum:"activation,probability,weight,gate,category,count,length"`
	Form   string         `json:"form" enum:"heatmap,rectangle,strip,strips,pattern,buckets,order,wiring" doc:"How it is drawn"`
	Rows   int            `json:"rows"`
	Cols   int            `json:"cols"`
	Axes   []DrawingAxis  `json:"axes" doc:"Of one plane: rows and columns; columns alone where there is one row"`
	By     string         `json:"by,omitempty" doc:"Of an order: the map with the classes that colour it"`
	Names  []string       `json:"names,omitempty" doc:"Names of the classes 0, 1, … of a category; the empty name stands for nothing"`
	Planes []DrawingPlane `json:"planes" doc:"The maps behind each other of a stack; one for any other map"`
}

// DrawingAxis names rows or columns.
type DrawingAxis struct {
	Role   string   `json:"role"`
	Title  string   `json:"title,omitempty"`
	Words  bool     `json:"words,omitempty" doc:"The positions are the tokens of the text"`
	Labels []string `json:"labels,omitempty" doc:"Names of the positions, where they are neither tokens nor numbers"`
}

// DrawingPlane are the cells of one map, row by row.
type DrawingPlane struct {
	Table   string `json:"table" enum:"palette,diverging,categorical" doc:"The colour table: the chosen palette, or one that the data ask for"`
	Cells   []byte `json:"cells" doc:"One byte for each cell, its entry among the 256 of the table, in base64"`
	Classes string `json:"classes,omitempty" doc:"One digit for each cell: 0 a value, 1 forbidden, 2 not computed, 3 exactly 0, 4 more than 0 yet too little for the scale, 5 NaN or infinite; absent when all are 0"`
	Values  []byte `json:"values,omitempty" doc:"The exact numbers as little-endian float32, in base64; absent with values=0"`
}

// drawingQuery is what /api/v1/drawing was asked: what a page or /api/v1/attend would be,
// for one layer and one head.
type drawingQuery struct {
	attendQuery
	of     []string // ids; empty: of all mechanisms
	values bool
}

func decodeDrawing(rawQuery string) (drawingQuery, error) {
	v, bad := parseQuery(rawQuery)
	d := decoder{values: v}
	q := drawingQuery{values: d.choice(keyValues, []string{"1", "0"}, "1") == "1", of: d.ids(keyMapsOf, nil)}
	if bad = append(bad, d.bad...); len(bad) > 0 {
		return drawingQuery{}, joinParams(bad)
	}
	v.Del(keyMapsOf)
	v.Del(keyValues)
	var err error
	q.attendQuery, err = decodeAttend(v.Encode())
	return q, err
}

// drawing answers GET /api/v1/drawing.
func (s *Server) drawing(w http.ResponseWriter, r *http.Request) error {
	q, err := decodeDrawing(r.URL.RawQuery)
	if err != nil {
		return err
	}
	if !q.named {
		q.state.Mechanisms = s.firstWall()
	}
	answer, err := s.drawn(r, q)
	if err != nil {
		return err
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(body, '\n'))
	return nil
}

func (s *Server) drawn(r *http.Request, q drawingQuery) (Drawing, error) {
	answer := Drawing{Version: 1, Mechanisms: []DrawingMechanism{}}
	if q.written() {
		m, err := s.drawWritten(r, q)
		answer.Mechanisms = append(answer.Mechanisms, m)
		return answer, err
	}
	report, err := s.inspect(r.Context(), q.state)
	if err != nil {
		return answer, err
	}
	if err := unknownMap(report.Mechanisms, q.maps); err != nil {
		return answer, err
	}
	var errs []error
	for i := range report.Mechanisms {
		res := &report.Mechanisms[i]
		if len(q.of) > 0 && !slices.Contains(q.of, res.ID) {
			continue
		}
		m := DrawingMechanism{ID: res.ID}
		if m.Maps, err = q.draw(report, res); err != nil {
			s.logUnforeseen(r, err)
			m.Maps, m.Error = nil, sentence(err)
		}
		answer.Mechanisms, errs = append(answer.Mechanisms, m), append(errs, err)
	}
	return answer, nothingAnswered(errs)
}

// draw draws the maps of a mechanism that were asked for and that it has.
func (q drawingQuery) draw(r *engine.Report, res *engine.Result) ([]DrawingMap, error) {
	if res.Err != nil {
		return nil, res.Err
	}
	var drawn []DrawingMap
	for _, name := range q.names(res) {
		f := Figure{State: q.state, Mechanism: res.ID, Map: name}
		p, err := f.pick(r)
		if err != nil {
			return nil, err
		}
		var specs []figure.Spec
		for plane := range max(p.stack.Planes, 1) {
			f.Plane = min(plane+1, p.stack.Planes)
			spec, err := f.Spec(r)
			if err != nil {
				return nil, err
			}
			specs = append(specs, spec)
		}
		m, err := q.drawMap(specs)
		if err != nil {
			return nil, err
		}
		v, _ := viewOf(res, name)
		m.By = v.By
		drawn = append(drawn, m)
	}
	return drawn, nil
}

// names are the maps of a mechanism that are wanted: by default those of its views.
func (q drawingQuery) names(res *engine.Result) []string {
	has := mapNames(res)
	wanted := q.maps
	if len(wanted) == 0 {
		for _, v := range allViews(res) {
			wanted = append(wanted, v.Map)
		}
	}
	return slices.DeleteFunc(slices.Clone(wanted), func(name string) bool { return !slices.Contains(has, name) })
}

// drawMap is a map whose planes are figures.
func (q drawingQuery) drawMap(planes []figure.Spec) (DrawingMap, error) {
	t := planes[0].Map
	layout, err := figure.LayoutOf(t)
	if err != nil {
		return DrawingMap{}, err
	}
	m := DrawingMap{Name: t.Name, Kind: t.Kind.String(), Form: layout.Form.String(), Names: t.Classes}
	for _, spec := range planes {
		grid, err := figure.Quantise(spec)
		if err != nil {
			return DrawingMap{}, err
		}
		m.Rows, m.Cols = grid.Rows, grid.Cols
		p := DrawingPlane{Table: tableOf(grid), Cells: grid.Index, Classes: digits(grid)}
		if q.values {
			p.Values = float32s(spec.Map.Value)
		}
		m.Planes = append(m.Planes, p)
	}
	if len(t.Axes) == 2 {
		m.Axes = append(m.Axes, drawingAxis(t.Axes[0], m.Rows, planes[0].RowLabels))
	}
	m.Axes = append(m.Axes, drawingAxis(t.Axes[len(t.Axes)-1], m.Cols, planes[0].ColLabels))
	return m, nil
}

func drawingAxis(a trace.Axis, n int, words []string) DrawingAxis {
	v := viewAxis(a, n, words)
	axis := DrawingAxis{Role: v.Role, Title: v.Title, Words: v.Words}
	if !v.Words {
		axis.Labels = v.Labels
	}
	return axis
}

// tableOf names the table that colours a grid.
func tableOf(g *figure.Grid) string {
	switch {
	case g.Scale.Category:
		return "categorical"
	case g.Scale.Diverging():
		return "diverging"
	}
	return "palette"
}

// digits are the classes of a grid's cells; empty: all are plain values.
func digits(g *figure.Grid) string {
	b := make([]byte, len(g.Class))
	for i, class := range g.Class {
		b[i] = '0' + byte(class)
	}
	if !slices.ContainsFunc(b, func(d byte) bool { return d != '0' }) {
		return ""
	}
	return string(b)
}

func float32s(t *tensor.T) []byte {
	b := make([]byte, 0, 4*t.Len())
	for _, v := range t.Data {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return b
}

// drawingURL is the address of maps as a page draws them; of all mechanisms of the state,
// or of one: a scale that they share depends on the others. Colours have no part in it.
func drawingURL(s State, of string, maps []string) string {
	def := DefaultState()
	s.Cmap, s.Theme, s.Pin, s.Was = def.Cmap, def.Theme, def.Pin, nil
	v := Encode(s)
	v.Set(keyText, s.Text)
	v.Set(keyMech, strings.Join(s.Mechanisms, ","))
	v.Set(keyMap, strings.Join(maps, ","))
	if of != "" {
		v.Set(keyMapsOf, of)
	}
	return address(drawingPath, v)
}

const drawingPath = "/api/v1/drawing"

// drawingInput documents the parameters; decodeDrawing reads them.
type drawingInput struct {
	Text   string `query:"text" doc:"The text, at most 65536 bytes"`
	M      string `query:"m" doc:"Ids of mechanisms and stacks, separated by commas; default as of a page"`
	Of     string `query:"of" doc:"Those of m whose maps are sent; default all of them. The others count for the normalisation shared"`
	Layer  string `query:"layer" doc:"A layer, from 1; default the first"`
	Head   string `query:"head" doc:"A head, from 1, or mean; default mean"`
	Mask   string `query:"mask" doc:"none or causal; default none"`
	Show   string `query:"show" doc:"maps, influence or rollout; default maps"`
	Map    string `query:"map" doc:"Names of maps, separated by commas; default those that a page shows. Of m=encoder-decoder also cross, decoder, encoder and encoder-rollout"`
	Norm   string `query:"norm" doc:"What counts as full colour: absolute, map, row, log, uniform or shared; default row"`
	Values string `query:"values" doc:"0 leaves the numbers out, which do not depend on the normalisation; default 1"`
}
