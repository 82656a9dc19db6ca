package figure

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed" // for the script and the style
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"attnatlas/engine/figure/lettering"
	"attnatlas/engine/messages"
)

//go:embed hover.js
var hoverScript string

//go:embed page.css
var pageStyle string

// PagePolicy is the Content-Security-Policy of pages written by HTML. They make no requests and run
// only their own script.
var PagePolicy = "default-src 'none'; img-src data:; style-src '" + digest(pageStyle) + "'; script-src '" +
	digest(hoverScript) + "'"

// digest returns the name of an inline text in a policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// HTML writes one self-contained page that works offline: the figure, its description, and a table
// of its values. Hovering over a cell shows its value.
func (f Figure) HTML(w io.Writer) error { return f.board().HTML(w) }

// HTML writes one self-contained page, as Figure.HTML does.
func (b Board) HTML(w io.Writer) error {
	return b.lay(func(p *poster) error {
		var tables []table
		for _, one := range p.pages {
			tables = append(tables, table{Figure{one.spec, one.grid}, one.corner.X + one.at.X, one.corner.Y + one.at.Y,
				one.cell.X, one.cell.Y})
		}
		return writeHTML(w, p.drawing(), b.about(p.look), p.t, tables)
	})
}

// BareHTML writes a page with the cells alone.
func (f Figure) BareHTML(w io.Writer) error {
	d, err := f.bareDrawing()
	if err != nil {
		return err
	}
	cell := int(d.width) / f.Grid.Cols
	return writeHTML(w, d, f.board().about(f.Spec), nil, []table{{f, 0, 0, cell, cell}})
}

// table is a figure's values with the position of its cells in the drawing.
type table struct {
	Figure
	left, top, width, height int
}

func writeHTML(w io.Writer, d *drawing, a about, t *lettering.Typesetter, tables []table) error {
	var picture bytes.Buffer
	if err := writeSVG(&picture, d, a, t); err != nil {
		return err
	}
	say := func(id string) string { return escaped(tables[0].say(messages.New("figure.page." + id))) }
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"+
		"<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n<title>%s</title>\n<style>%s</style>\n</head>\n<body class=%q>\n<figure>\n%s",
		escaped(PagePolicy), escaped(a.title), pageStyle, tables[0].Theme.String(), picture.String())
	fmt.Fprintf(out, "<p><output aria-live=\"polite\"></output></p>\n<figcaption>%s</figcaption>\n</figure>\n",
		escaped(a.described))
	for _, one := range tables {
		fmt.Fprintf(out, "<details>\n<summary>%s · %s</summary>\n<div tabindex=\"0\">\n", say("values"), escaped(one.Title))
		one.write(out)
		out.WriteString("</div>\n</details>\n")
	}
	fmt.Fprintf(out, "<details>\n<summary>%s</summary>\n<dl>\n", say("origin"))
	for _, m := range a.meta {
		fmt.Fprintf(out, "<dt>%s</dt><dd>%s</dd>\n", escaped(m.Key), escaped(m.Value))
	}
	fmt.Fprintf(out, "</dl>\n</details>\n<script>%s</script>\n</body>\n</html>\n", hoverScript)
	return out.Flush()
}

// write writes the values with their labels.
func (t table) write(w io.Writer) {
	row := func(cells []string, tag, head string) string {
		var b strings.Builder
		b.WriteString("<tr><th scope=\"" + head + "\">" + escaped(cells[0]) + "</th>")
		for _, c := range cells[1:] {
			b.WriteString("<" + tag + ">" + escaped(c) + "</" + strings.Fields(tag)[0] + ">")
		}
		return b.String() + "</tr>\n"
	}
	fmt.Fprintf(w, "<table data-box=\"%d %d %d %d\">\n<thead>%s</thead>\n<tbody>\n", t.left, t.top, t.width, t.height,
		row(append([]string{""}, t.labels(columnSide)...), "th scope=\"col\"", "col"))
	rows := t.labels(rowSide)
	for r := range t.Grid.Rows {
		fmt.Fprint(w, row(append([]string{rows[r]}, t.row(r)...), "td", "row"))
	}
	fmt.Fprint(w, "</tbody>\n</table>\n")
}
