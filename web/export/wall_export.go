package export

import (
	"archive/zip"
	"errors"
	"io"
	"net/http"
	"strconv"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/figure"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// zipType is the media type of archives.
const zipType = "application/zip"

// wallFile is the content of a file of all cards.
type wallFile struct {
	address.FigureRequest
	sel     *exhibit.Selection
	cards   []*exhibit.Card
	refused []*engine.Result // mechanisms without a map, with their errors
}

// decodeWall reads a request for a file of all cards.
func (s *pages) decodeWall(r *http.Request) (f address.FigureRequest, err error) {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	st, wrong := address.Decode(v, s.Vocab, "")
	f, more := address.DecodeFigure(v, st)
	for _, key := range []string{address.Map, address.Plane, address.Bare} {
		if v.Has(key) {
			more = append(more, address.Invalid(key, "param.not-of-wall", "key", key))
		}
	}
	if !v.Has(address.Mechanisms) {
		f.Mechanisms = s.FirstWall()
	}
	f.After = ""
	if err := address.Join(bad, wrong, more); err != nil {
		return f, err
	}
	for _, id := range f.Mechanisms {
		if s.Find(id) == nil {
			return f, s.NoMechanism(id)
		}
	}
	return f, nil
}

// wallOf computes the cards of a file.
func (s *pages) wallOf(r *http.Request) (*wallFile, error) {
	f, err := s.decodeWall(r)
	if err != nil {
		return nil, err
	}
	sel, err := s.Inspect(r.Context(), f.State)
	if err != nil {
		return nil, err
	}
	wall := &wallFile{FigureRequest: f, sel: sel}
	var errs []error
	for i := range sel.Report.Mechanisms {
		res := &sel.Report.Mechanisms[i]
		card, err := sel.Card(res)
		if errs = append(errs, err); err != nil {
			wall.refused = append(wall.refused, res)
			continue
		}
		wall.cards = append(wall.cards, card)
	}
	return wall, site.NothingAnswered(errs)
}

// board returns all cards as one figure.
func (s *pages) board(r *http.Request, wall *wallFile, extension string) figure.Board {
	var mains []*exhibit.Exhibit
	for _, card := range wall.cards {
		mains = append(mains, card.Main)
	}
	l := site.Language(r)
	b := figure.Board{Title: l.T("wall-file.title"),
		Meta: exhibit.WallProvenance(l, mains, wall.WallSource(extension), s.Version)}
	look := wall.Appearance
	if look.Headed = len(wall.cards) > 1; look.Headed {
		b.Heading = l.T("figure.text", "text", wall.sel.Report.Text)
	}
	for _, card := range wall.cards {
		var stack figure.Stack
		for _, x := range card.Shown() {
			stack = append(stack, x.Drawing(l, look, nil))
		}
		b.Stacks = append(b.Stacks, stack)
	}
	return b
}

// serveWallFigure answers GET /export/wall.{png,svg,pdf}: all cards as one figure.
func (s *pages) serveWallFigure(w http.ResponseWriter, r *http.Request, format figure.Format) error {
	if format.Board == nil {
		return noFile()
	}
	wall, err := s.wallOf(r)
	if err != nil {
		return err
	}
	return s.drawFile(w, r, drawing{format: format, name: address.WallFile + "." + format.Extension,
		board: s.board(r, wall, format.Extension)})
}

// serveWallZip answers GET /export/wall.zip: every card's files, with their provenance.
func (s *pages) serveWallZip(w http.ResponseWriter, r *http.Request) error {
	wall, err := s.wallOf(r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", zipType)
	w.Header().Set("Content-Disposition", "attachment; filename="+strconv.Quote(address.WallFile+".zip"))
	site.ResponseOf(r.Context()).Allow(site.MostDataBytes)
	files := zip.NewWriter(w)
	if err := s.writeReadme(files, r, wall); err != nil {
		return err
	}
	for _, card := range wall.cards {
		for _, x := range card.Shown() {
			if err := s.writeFiles(files, r, wall.FigureRequest, x); err != nil {
				return err
			}
		}
	}
	return files.Close()
}

// writeFiles adds a map in every format except archives.
func (s *pages) writeFiles(files *zip.Writer, r *http.Request, f address.FigureRequest, x *exhibit.Exhibit) error {
	for _, format := range figure.Formats {
		if format.MediaType == zipType {
			continue // no archive in an archive
		}
		one := x.Drawing(site.Language(r), f.Appearance, s.origin(r, f, x, format))
		err := s.Draw(r.Context(), site.Pixels(one.Grid.Rows, one.Grid.Cols, f.Appearance), func() error {
			file, err := figure.File(files, x.Result.ID+"/"+x.FileName(format.Extension))
			if err != nil {
				return err
			}
			return errors.Join(format.Encode(one, file), r.Context().Err())
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeReadme adds a file that describes the others.
func (s *pages) writeReadme(files *zip.Writer, r *http.Request, wall *wallFile) error {
	l := site.Language(r)
	file, err := figure.File(files, "README.txt")
	if err != nil {
		return err
	}
	var mains []*exhibit.Exhibit
	text := l.T("wall-file.readme") + "\n\n"
	for _, card := range wall.cards {
		mains = append(mains, card.Main)
		for _, x := range card.Shown() {
			text += x.Result.ID + "/" + x.FileName("*") + "\n  " + l.Say(x.Alt()) + "\n"
		}
	}
	for _, res := range wall.refused {
		text += "\n" + l.T("wall-file.refused", "id", res.ID, "why", site.MessageOf(res.Err)) + "\n"
	}
	text += "\n"
	for _, m := range exhibit.WallProvenance(l, mains, wall.WallSource("zip"), s.Version) {
		text += m.Key + ": " + m.Value + "\n"
	}
	_, err = io.WriteString(file, text)
	return err
}
