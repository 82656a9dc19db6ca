package export

import (
	"cmp"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"os"
	"slices"
	"strings"

	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

//go:embed snippets/*.txt
var snippetFiles embed.FS

// SnippetOrder lists the names of the snippets in the order of the page.
var SnippetOrder = []string{"html", "element", "markdown", "jupyter", "myst", "quarto", "reveal", "latex", "marp",
	"curl", "viz", "python"}

// addressed are the snippets that need a server. A published site leaves them out.
var addressed = []string{"curl", "python"}

// snippetForms are the ways to escape a text: in a snippet, ${md:Alt} is the text Alt in the form
// md, and ${Alt} is unescaped.
var snippetForms = map[string]func(string) string{
	"":     func(s string) string { return s },
	"html": html.EscapeString,
	"json": quoted,
	"md": strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "*", `\*`, "_", `\_`, "<", `\<`, "`", "\\`", "\n",
		" ").Replace,
	"sh": func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" },
}

// filled returns a snippet with its texts. It does not use text/template, which calls methods by
// name at run time. The linker would then keep every method of every library, a seventh of the
// program for browsers.
func filled(name string, texts map[string]string) string {
	text, err := snippetFiles.ReadFile("snippets/" + name + ".txt")
	if err != nil {
		panic("web: " + err.Error()) // the names are our own
	}
	return strings.TrimSuffix(os.Expand(string(text), func(key string) string {
		form, name, found := strings.Cut(key, ":")
		if !found {
			form, name = "", key
		}
		value, known := texts[name]
		write := snippetForms[form]
		if write == nil || !known {
			panic("web: no " + key + " for snippets") // the keys are our own, and tested
		}
		return write(value)
	}), "\n")
}

// quoted returns a text as a JSON string, which Python and Quarto accept as well.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // text to memory never fails
	return strings.TrimSuffix(b.String(), "\n")
}

// reachable states who can reach the URLs of the snippets; empty: everybody.
func (t *take) reachable() string {
	switch {
	case t.published("png") != "":
		return t.T("take.published-here")
	case t.Site.Published:
		return t.T("take.published")
	case site.Loopback(t.Request.Host):
		return t.T("take.local", "host", t.Request.Host)
	}
	return ""
}

// published returns the URL of the figure's file on a published site, or "" if there is none.
func (t *take) published(extension string) string { return t.publishedAt(t.url(extension)) }

func (t *take) publishedAt(address string) string {
	if file := t.Site.Figures[address]; file != "" {
		return t.Site.Rooted(t.Request, "/"+file)
	}
	return ""
}

// snippets returns the code to show the figure in other programs.
func (t *take) snippets(file string) (list []Text) {
	embed := address.Encode(t.Untold())
	if t.id != address.WallFile {
		embed.Set(address.Mechanisms, t.id)
	}
	name, _, _ := strings.Cut(file, ".")
	texts := map[string]string{
		"Alt": t.alt(), "Caption": t.caption(), "Embed": t.Site.Rooted(t.Request, site.EmbedPath+"?"+embed.Encode()),
		"File": file, "Name": name,
		"URL": t.Site.Rooted(t.Request, t.url(t.format)), "PNG": t.Site.Rooted(t.Request, t.url("png")),
		"SVG": t.Site.Rooted(t.Request, t.url("svg")), "PDF": t.Site.Rooted(t.Request, t.url("pdf")),
		"Command": exhibit.Command(t.url(t.format)),
		"Element": t.Site.Rooted(t.Request, site.ElementPath), "Norm": t.Norm.String(), "Palette": t.Cmap.String(),
		"Theme": t.PaperTheme().String(),
	}
	if t.Site.Published { // other files are next to the page that shows them
		for key, extension := range map[string]string{"URL": t.format, "PNG": "png", "SVG": "svg", "PDF": "pdf"} {
			texts[key] = cmp.Or(t.published(extension), name+"."+extension)
		}
		texts["SVG"] = cmp.Or(t.published("png"), texts["SVG"])
	}
	var maps []string // one element for the numbers of each map
	for i, one := range t.maps {
		plain := address.FigureRequest{State: t.FigureRequest.State}
		plain.State.Theme = address.Default().Theme
		numbers := plain.StackSource(one, "json")
		if t.Map != "" || t.Plane > 0 {
			numbers = plain.Source(one, "json")
		}
		texts["Map"] = t.Site.Rooted(t.Request, numbers)
		if t.Site.Published {
			texts["Map"] = cmp.Or(t.publishedAt(numbers), one.FileName("json"))
		}
		maps = append(maps, filled("map", texts))
		if i == 0 {
			texts["JSON"] = texts["Map"]
		}
	}
	texts["Maps"] = strings.Join(maps, "\n")
	for _, id := range SnippetOrder {
		text := filled(id, texts)
		if t.Site.Published && slices.Contains(addressed, id) {
			continue
		} else if first, rest, _ := strings.Cut(text, "\n"); t.Site.Published && strings.HasPrefix(first, "% curl") {
			text = rest
		}
		list = append(list, Text{ID: id, Title: t.T("take.snippet-" + id), Text: text})
	}
	if t.Site.Published && t.published("png") == "" {
		list = append(list, t.inline(texts)...)
	}
	return list
}

// inline adds the picture as a data URI, unless it is too large.
func (t *take) inline(texts map[string]string) []Text {
	picture := t.pages.tried(t.Request, t.url("png"))
	if picture.status != http.StatusOK || picture.small == nil {
		return nil
	}
	texts["Data"] = "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture.small)
	return []Text{{ID: "data", Title: t.T("take.snippet-data"), Text: filled("data", texts)}}
}
