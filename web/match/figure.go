package match

import (
	"net/http"
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/similarity"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// mapName is the name of the map in files.
const mapName = "match"

// figureOf draws the summands of a match: a row for each token of the query, a column for each token of the
// passage.
func figureOf(l *messages.Language, m *similarity.Scores, theme figure.Theme) (*figure.Figure, error) {
	if m.Pairs == nil || m.Pairs.Cells == nil {
		return nil, fault.Errorf(fault.Unsupported, "match.no-map", "name", m.Name)
	}
	chosen := m.Passages[m.Chosen]
	cells := tensor.New(len(m.Query.Tokens), len(chosen.Tokens))
	for i, row := range m.Pairs.Cells {
		for j, v := range row {
			cells.Set(tensor.Elem(v), i, j)
		}
	}
	axes := []trace.Axis{
		{Role: trace.Query, Name: "text", Labels: tokenizer.Labels(m.Query.Tokens), Text: true},
		{Role: trace.Key, Name: "matched text", Labels: tokenizer.Labels(chosen.Tokens), Text: true},
	}
	return figure.New(figure.Spec{
		Name: mapName, Title: l.T("match.figure-title", "name", m.Name), Language: l, Theme: theme, Norm: figure.PerMap,
		Noun: messages.New("match.noun"),
		Subtitle: l.T("match.figure-subtitle", "score", messages.Number(chosen.Score), "query", exhibit.Opening(m.Query.Text),
			"passage", exhibit.Opening(chosen.Text)),
		Map: trace.Map{Name: mapName, Kind: trace.Weight, Axes: axes, Value: cells},
	})
}

// serveFigure answers GET /match/map.{format}.
func (s *pages) serveFigure(w http.ResponseWriter, r *http.Request, q address.Query) error {
	_, format, ok := figure.FormatOf(strings.TrimPrefix(r.URL.Path, matchPath+"/"))
	if !ok {
		return fault.Errorf(fault.NotFound, "match.no-format", "all", messages.List(figure.Extensions()))
	}
	m, err := s.match(r, q)
	if err != nil {
		return err
	}
	f, err := figureOf(site.Language(r), m, q.State.PaperTheme())
	if err != nil {
		return err
	}
	f.Meta = []figure.Meta{
		{Key: "Software", Value: "Attention Atlas " + s.Version}, {Key: "Source", Value: r.URL.RequestURI()},
		{Key: "Description", Value: f.Title + ". " + f.Subtitle},
	}
	site.FileHeader(w.Header(), format.MediaType, mapName+"."+format.Extension)
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	return s.Draw(r.Context(), site.Pixels(f.Grid.Rows, f.Grid.Cols, exhibit.Appearance{}), func() error {
		return format.Encode(*f, w)
	})
}
