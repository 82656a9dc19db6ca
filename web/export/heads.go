package export

import (
	"fmt"
	"net/http"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// serveHeads answers GET /export/{mechanism}.{format}?map=heads and map=layers: a map for each head
// of a layer, or of every layer with one row per layer.
func (s *pages) serveHeads(w http.ResponseWriter, r *http.Request, f address.FigureRequest, rows [][]*exhibit.Exhibit,
	format figure.Format) error {
	l, look, first := site.Language(r), f.Appearance, rows[0][0]
	says := first.EveryHeadSays(f.Map)
	look.Headed, look.Untitled = true, false // each names its head
	source := f.SheetSource(first, f.Map, format.Extension)
	meta := first.Provenance(l, source, s.Version)
	for i := range meta {
		if meta[i].Key == "Description" {
			meta[i].Value = l.Say(headsAlt(rows, f.Map))
		}
	}
	b := figure.Board{Title: l.Say(messages.Join(" · ", first.Title(), says)), Meta: meta, Columns: len(rows[0]),
		Tiles: true}
	if !f.Untitled {
		b.Heading = l.Say(messages.Join(" · ", first.Title(), says,
			messages.New("figure.text", "text", exhibit.Opening(f.Text))))
	}
	for _, row := range rows {
		for _, x := range row {
			one := x.Drawing(l, look, nil)
			one.Title, one.Subtitle = l.Say(x.Where(", ")), ""
			b.Stacks = append(b.Stacks, figure.Stack{one})
		}
	}
	return s.drawFile(w, r, drawing{format: format, name: sheetFile(first, f.Map, format.Extension), board: b})
}

// sheetFile returns the file name of a sheet.
func sheetFile(first *exhibit.Exhibit, sheet, extension string) string {
	name := first.Result.ID + "-" + sheet
	if sheet == exhibit.HeadSheet {
		name += fmt.Sprintf("-%s%d", first.Layer.Unit(), first.Layer.Number)
	}
	return name + "." + extension
}

// headsAlt returns the alternative text of a sheet.
func headsAlt(rows [][]*exhibit.Exhibit, sheet string) messages.Message {
	x := rows[0][0]
	return messages.New("head.heads-alt", "name", x.Result.Name(), "symbol", messages.Text(x.View.Symbol), "where",
		x.EveryHeadSays(sheet), "rows", len(rows), "heads", len(rows[0]))
}
