package export

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/wall"

	"github.com/go-chi/chi/v5"
)

// serveTakeJSON answers GET /take/{id}.json.
func (s *pages) serveTakeJSON(w http.ResponseWriter, r *http.Request) error {
	t, err := s.decodeTake(r)
	if err != nil {
		return err
	}
	v := t.view()
	answer := s.tried(r, v.File.URL)
	a := Take{Version: 1, File: v.File.Download, URL: s.Rooted(r, v.File.URL), Problem: answer.problem,
		Texts: takeTexts(v.Texts), Snippets: takeTexts(v.Snippets)}
	if answer.status == http.StatusOK {
		a.Bytes = answer.bytes
	}
	return site.SendJSON(w, a)
}

func takeTexts(texts []Text) (all []TakeText) {
	for _, t := range texts {
		all = append(all, TakeText(t))
	}
	return all
}

// take is a figure to export.
type take struct {
	*wall.View
	pages *pages
	address.FigureRequest
	id, format string
	query      url.Values // query of the figure's URL
	maps       []*exhibit.Exhibit
	heads      [][]*exhibit.Exhibit // maps for a figure of all heads; nil: one map
	sheets     bool                 // such a figure exists
}

// serveTake answers GET /take/{mechanism} and /take/wall: a figure in a chosen format for a chosen
// paper, with the texts and code to show it elsewhere.
func (s *pages) serveTake(w http.ResponseWriter, r *http.Request) error {
	t, err := s.decodeTake(r)
	if err != nil {
		return err
	}
	v := t.view()
	status := http.StatusOK
	if answer := s.tried(r, v.File.URL); answer.status != http.StatusOK {
		status, v.Problem = answer.status, answer.problem
	} else {
		v.Size = t.T("take.size", "bytes", answer.bytes)
	}
	v.Live, v.LiveSays = t.live()
	return s.Render(w, r, status, TakePage(v))
}

// takenFormat returns the file extension in a query, or the default.
func takenFormat(id string, v url.Values) (string, error) {
	format, formats := figure.Formats[0].Extension, figure.Extensions()
	if id == address.WallFile {
		formats = append(figure.BoardExtensions(), "zip")
	}
	if v.Has(address.Format) {
		format = v.Get(address.Format)
	}
	if !slices.Contains(formats, format) {
		return "", address.Join([]address.ParamError{address.Invalid(address.Format, "param.choice", "key", address.Format,
			"value", messages.Quote(site.Clean(format)), "allowed", messages.List(formats))})
	}
	return format, nil
}

// decodeTake reads a request for an export page, and computes its maps.
func (s *pages) decodeTake(r *http.Request) (*take, error) {
	id, err := site.IDOf(chi.URLParam(r, "take"))
	if err != nil {
		return nil, err
	}
	v, _ := address.ParseQuery(r.URL.RawQuery)
	format, err := takenFormat(id, v)
	if err != nil {
		return nil, err
	}
	t := &take{pages: s, View: &wall.View{Site: s.Views, Request: r, Language: site.Language(r)}, id: id,
		format: format, query: v}
	v.Del(address.Format)
	for _, key := range []string{address.Preset, address.DPI, address.Map, address.Special, address.Arrange,
		address.Title, address.InCells, address.Width, address.Type} {
		if v.Get(key) == "" {
			v.Del(key) // an empty choice in a form stands for the default
		}
	}
	inner := r.Clone(r.Context())
	inner.URL.RawQuery = v.Encode()
	if id == address.WallFile {
		wall, err := s.wallOf(inner)
		if err != nil {
			return nil, err
		}
		t.FigureRequest = wall.FigureRequest
		for _, card := range wall.cards {
			t.maps = append(t.maps, card.Main)
		}
		return t, nil
	}
	f, err := s.decodeFigure(inner, id)
	if err != nil {
		return nil, err
	}
	sel, err := s.Inspect(r.Context(), f.State)
	if err != nil {
		return nil, err
	}
	t.FigureRequest = f
	if res := sel.Result(id); res != nil {
		t.sheets = sel.Tiles(res) > 0
	}
	if exhibit.IsSheet(f.Map) {
		if t.heads, err = sel.EveryHead(id, f.Map); err == nil {
			t.maps = t.heads[0][:1]
		}
		return t, err
	}
	x, err := sel.Exhibit(id, f.Map, f.Plane)
	t.maps = []*exhibit.Exhibit{x}
	return t, err
}

// url returns the URL of the figure in a format, as in the file's provenance.
func (t *take) url(extension string) string {
	first, f := t.maps[0], t.FigureRequest
	if f.PaperTheme() == address.Default().PaperTheme() {
		f.State.Theme = address.Default().Theme // the form names the default, too
	}
	switch {
	case t.id == address.WallFile:
		return f.WallSource(extension)
	case t.heads != nil:
		return f.SheetSource(first, t.Map, extension)
	case t.Map == "" && t.Plane == 0:
		return f.StackSource(first, extension)
	}
	return f.Source(first, extension)
}

// view returns the view of the export page.
func (t *take) view() TakeView {
	first := t.maps[0]
	name, back := t.Say(first.Title()), address.Mechanism(t.FigureRequest.State, t.id)
	file := t.id + "." + t.format
	switch {
	case t.id == address.WallFile:
		name, back = t.T("wall-file.title"), address.Wall(t.FigureRequest.State)
	case t.heads != nil:
		file = sheetFile(first, t.Map, t.format)
	default:
		file = first.FileName(t.format)
	}
	v := TakeView{
		Page: t.Site.Head(t.Language, "", t.T("take.heading", "name", name), t.T("take.lead"),
			t.FigureRequest.State).With(files...), Lead: t.T("take.lead"),
		Action: "/take/" + url.PathEscape(t.id), Selects: t.selects(),
		File: components.Link{Label: t.T("take.file", "file", file), URL: t.url(t.format), Download: file},
		Back: components.Link{Label: t.T("take.back"), URL: back},
	}
	v.Measures = []Measure{
		{address.Width, t.query.Get(address.Width), address.LeastWidth, address.MostWidth},
		{address.Type, t.query.Get(address.Type), address.LeastType, address.MostType},
	}
	for key, values := range t.query {
		if slices.ContainsFunc(v.Measures, func(one Measure) bool { return one.Name == key }) ||
			slices.ContainsFunc(v.Selects, func(one components.Select) bool { return one.Name == key }) {
			continue
		}
		for _, value := range values {
			v.Hidden = append(v.Hidden, components.Field{Name: key, Value: value})
		}
	}
	slices.SortStableFunc(v.Hidden, func(a, b components.Field) int { return strings.Compare(a.Name, b.Name) })
	if _, format, ok := figure.FormatOf("x." + t.format); !ok || format.Board != nil {
		v.Preview = components.Image{URL: t.url("svg"), Alt: t.alt()}
	}
	v.Texts, v.Snippets, v.Reachable = t.texts(back), t.snippets(file), t.reachable()
	return v
}

// selects returns the select elements of the form.
func (t *take) selects() []components.Select {
	formats := figure.Extensions()
	if t.id == address.WallFile {
		formats = append(figure.BoardExtensions(), "zip")
	}
	one := func(key, chosen string, values []string) components.Select {
		s := components.Select{Name: key, Label: t.T("take." + key)}
		for _, value := range values {
			label := value
			if key != address.Format {
				label = t.T("take." + key + "-" + value)
			}
			if value == "usual" {
				value = ""
			}
			s.Options = append(s.Options, components.SelectOption{Value: value, Label: label, Selected: value == chosen})
		}
		return s
	}
	all := []components.Select{
		one(address.Format, t.format, formats),
		one(address.Preset, t.Preset.Name, append([]string{"usual"}, figure.PresetNames()...)),
		one(address.Theme, t.PaperTheme().String(), []string{figure.Light.String(), figure.Dark.String()}),
	}
	choice := func(key string, chosen bool, value string) components.Select {
		return one(key, map[bool]string{true: value}[chosen], []string{"usual", value})
	}
	all = append(all, choice(address.Title, t.Untitled, "0"), choice(address.InCells, t.Numbers, "1"),
		choice(address.Special, t.Words, "0"),
		one(address.Arrange, string(t.Order), []string{"usual", exhibit.Similarity.String()}))
	if t.sheets && (t.Map == "" || t.heads != nil) {
		all = append(all, one(address.Map, t.Map, []string{"usual", exhibit.HeadSheet, exhibit.ModelSheet}))
	}
	return all
}

// alt returns the alternative text of the figure.
func (t *take) alt() string {
	if t.heads != nil {
		return t.Say(headsAlt(t.heads, t.Map))
	}
	var all []messages.Message
	for _, x := range t.maps {
		all = append(all, x.Alt())
	}
	return t.Say(messages.Join(". ", all...))
}

// caption returns the caption of the figure.
func (t *take) caption() string {
	var all []string
	for _, x := range t.maps {
		where := x.Where(", ")
		if t.heads != nil {
			where = x.EveryHeadSays(t.Map)
		}
		all = append(all, t.Say(x.Title())+", "+t.Say(where))
	}
	return t.T("take.caption", "maps", strings.Join(all, "; "), "text", site.Clean(t.Text))
}

// texts returns the texts for a figure: caption, alternative text, citation.
func (t *take) texts(back string) []Text {
	cite := t.T("take.cite-software", "version", t.Site.Version)
	var papers []string
	for _, x := range t.maps {
		if e := t.Site.Find(x.Result.ID); e != nil {
			if one := wall.Paper(e.Paper).BibTeX; !slices.Contains(papers, one) {
				papers = append(papers, one)
			}
		}
	}
	return []Text{
		{ID: "caption", Title: t.T("take.caption-title"), Text: t.caption()},
		{ID: "alt", Title: t.T("take.alt-title"), Text: t.alt()},
		{ID: "permalink", Title: t.T("take.permalink"), Text: address.Kept(t.Site.Rooted(t.Request, back))},
		{ID: "bibtex", Title: "BibTeX", Text: cite + "\n\n" + strings.Join(papers, "\n\n")},
	}
}

// mostInline is the largest size of a picture that is offered as a data URI, in bytes.
const mostInline = 64 << 10

// trial is a response of which only the size counts, or the reason why there is none.
type trial struct {
	header http.Header
	status int
	bytes  int
	small  []byte // the response, if it has at most mostInline bytes

	problem string // text of an error
}

// Header returns the header of the response.
func (a *trial) Header() http.Header { return a.header }

// WriteHeader stores the status of the response; only the first call counts.
func (a *trial) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write appends to the body of the response.
func (a *trial) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.bytes += len(p); a.bytes <= mostInline {
		a.small = append(a.small, p...)
	} else {
		a.small = nil
	}
	return len(p), nil
}

// tried requests one of this server's own files with the visitor's rights.
func (s *pages) tried(r *http.Request, address string) *trial {
	a := &trial{header: http.Header{}}
	inner := r.Clone(context.WithValue(r.Context(), chi.RouteCtxKey, chi.NewRouteContext()))
	u, err := url.Parse(address)
	if err != nil {
		return &trial{status: http.StatusBadRequest}
	}
	inner.Method, inner.URL, inner.RequestURI = http.MethodGet, u, address
	if err := s.answerTo(a, inner); err != nil {
		return &trial{status: site.StatusOf(err), problem: site.Language(r).Say(site.MessageOf(err))}
	}
	return a
}

// answerTo writes the file of a URL.
func (s *pages) answerTo(w http.ResponseWriter, r *http.Request) error {
	name, ok := strings.CutPrefix(r.URL.Path, "/export/")
	if !ok {
		return noFile()
	}
	route := chi.RouteContext(r.Context())
	route.URLParams.Add("file", name)
	return s.serveExport(w, r)
}
