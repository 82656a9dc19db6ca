package web

import (
	"embed"
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"text/template"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
)

//go:embed snippets/*.txt
var snippetFiles embed.FS

// snippetOrder are the names of the snippets in the order of the page.
var snippetOrder = []string{"html", "element", "markdown", "jupyter", "myst", "quarto", "reveal", "latex", "marp", "curl", "viz", "python"}

// snippetTexts fill addresses and words in, each as its language writes them.
var snippetTexts = template.Must(template.New("").Funcs(template.FuncMap{
	"html": html.EscapeString,
	"json": quoted,
	"md":   strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "*", `\*`, "_", `\_`, "<", `\<`, "`", "\\`", "\n", " ").Replace,
	"sh":   func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" },
}).ParseFS(snippetFiles, "snippets/*.txt"))

// quoted is a text as JSON, Python and Quarto write it.
func quoted(s string) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// snippetData are what a snippet is filled with.
type snippetData struct {
	Alt, Caption, Embed, URL, PNG, SVG, PDF, JSON, File, Name, Command string

	Element, Norm, Palette, Theme string   // of <attention-map>, and how it draws
	Maps                          []string // the numbers of each map
}

// snippets are the figure for other programs.
func (t *take) snippets(file string) (list []components.TakeText) {
	embed := address.Encode(t.Untold())
	if t.id != address.WallFile {
		embed.Set(address.Mechanisms, t.id)
	}
	name, _, _ := strings.Cut(file, ".")
	data := snippetData{
		Alt: t.alt(), Caption: t.caption(), Embed: t.s.rooted(t.r, embedPath+"?"+embed.Encode()), File: file, Name: name,
		URL: t.s.rooted(t.r, t.url(t.format)), PNG: t.s.rooted(t.r, t.url("png")), SVG: t.s.rooted(t.r, t.url("svg")), PDF: t.s.rooted(t.r, t.url("pdf")),
		Command: exhibit.Command(t.url(t.format)),
		Element: t.s.rooted(t.r, elementPath), Norm: t.Norm.String(), Palette: t.Cmap.String(), Theme: t.PaperTheme().String(),
	}
	for _, one := range t.maps {
		data.Maps = append(data.Maps, t.s.rooted(t.r, address.Figure{State: t.State}.Source(one, "json")))
	}
	data.JSON = data.Maps[0]
	for _, id := range snippetOrder {
		var b strings.Builder
		if snippetTexts.ExecuteTemplate(&b, id+".txt", data) == nil { // the templates are ours, and tested
			list = append(list, components.TakeText{ID: id, Title: t.t("take.snippet-" + id), Text: strings.TrimSuffix(b.String(), "\n")})
		}
	}
	return list
}

// takeLink leads to the page of a figure to take along.
func (p *page) takeLink(st address.State, id string, extra url.Values) components.Link {
	return components.Link{Label: p.t("take.link"), Hint: p.t("take.lead"), URL: strings.Replace(address.Export(st, id, "png", extra), "/export/"+url.PathEscape(id)+".png", "/take/"+url.PathEscape(id), 1)}
}
