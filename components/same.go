package components

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Had lists what a script already has of a page when it requests another state. A card that differs
// only in its URLs and text-dependent parts is not sent again in full.
type Had struct {
	Shapes []string // shapes of cards, as in data-shape
	Query  string   // "text=…", the part of the cards' URLs with the page's text; empty: none
}

// Marks in the HTML of a card, which no escaped text contains. The part after a mark depends on the
// text, or is drawn again by scripts, or neither.
const (
	boundary   = "<\x00"
	markNumber = "n"
	markDrawn  = "d"
	markEnd    = "."
)

type markingKey struct{}

// marked draws its children between marks, if the card is being split.
func marked(kind string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		children := templ.GetChildren(ctx)
		ctx = templ.ClearChildren(ctx)
		if ctx.Value(markingKey{}) == nil {
			return children.Render(ctx, w)
		}
		if _, err := io.WriteString(w, boundary+kind); err != nil {
			return err
		}
		if err := children.Render(ctx, w); err != nil {
			return err
		}
		_, err := io.WriteString(w, boundary+markEnd)
		return err
	})
}

// ofText marks a part that depends on the text. It is sent even if the rest of a card is the same.
func ofText() templ.Component { return marked(markNumber) }

// byScripts marks a part that scripts draw or write. It does not affect whether two cards are the
// same.
func byScripts() templ.Component { return marked(markDrawn) }

// inside is the content of a card.
type inside struct {
	html  string
	shape string // name of the text-independent part; cards with one shape share it, except for URLs
	same  bool   // a script has it: html is only the text-dependent part
}

// usualCard exceeds the bytes of most cards.
const usualCard = 32 << 10

// inside draws the content of a card, or only its text-dependent part if the script has the rest.
func (h Had) inside(ctx context.Context, c templ.Component) (inside, error) {
	var b strings.Builder
	b.Grow(usualCard)
	if err := c.Render(context.WithValue(ctx, markingKey{}, true), &b); err != nil {
		return inside{}, err
	}
	var whole, lasting, said strings.Builder
	whole.Grow(b.Len())
	lasting.Grow(b.Len())
	kind := markEnd
	for rest, found := b.String(), true; found; {
		var piece string
		piece, rest, found = strings.Cut(rest, boundary)
		whole.WriteString(piece)
		switch kind {
		case markEnd:
			lasting.WriteString(piece)
		case markNumber:
			said.WriteString(piece)
			if piece != "" {
				lasting.WriteString(boundary)
			}
		}
		if found {
			kind, rest = rest[:1], rest[1:]
		}
	}
	sum := sha256.Sum256([]byte(withoutQuery(lasting.String(), h.Query)))
	in := inside{html: whole.String(), shape: base64.RawURLEncoding.EncodeToString(sum[:9])}
	for _, shape := range h.Shapes {
		if shape == in.shape {
			in.html, in.same = said.String(), true
		}
	}
	return in, nil
}

// withoutQuery replaces a part of the queries in HTML with a mark, as scripts expect it.
func withoutQuery(html, query string) string {
	if query == "" {
		return html
	}
	var b strings.Builder
	b.Grow(len(html))
	for {
		at := strings.Index(html, query)
		if at < 0 {
			break
		}
		end := at + len(query)
		begins := at > 0 && strings.ContainsRune("?;", rune(html[at-1]))
		ends := end < len(html) && strings.ContainsRune(`&"#`, rune(html[end]))
		b.WriteString(html[:at])
		if begins && ends {
			b.WriteString(boundary)
		} else {
			b.WriteString(query)
		}
		html = html[end:]
	}
	b.WriteString(html)
	return b.String()
}
