package components

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Had is what a script has of a page already, when it asks for another state of it: a card that is the same but for
// its addresses' text and for what says numbers of it need not be sent again, parsed and compared.
type Had struct {
	Shapes []string // of cards, as data-shape names them
	Query  string   // "text=…", which addresses of cards have for the page's text; empty: they have none
}

// Marks in what a card draws, which no escaped text contains: what follows is said of the text, or drawn again by
// scripts, or neither.
const (
	boundary   = "<\x00"
	markNumber = "n"
	markDrawn  = "d"
	markEnd    = "."
)

type markingKey struct{}

// marked draws its children between marks, where a card is taken apart.
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

// ofText is what says numbers of the text: it is sent also where the rest of a card is the same.
func ofText() templ.Component { return marked(markNumber) }

// byScripts is what scripts draw or write themselves: a card that has it is the same as one that has not.
func byScripts() templ.Component { return marked(markDrawn) }

// inside is what a card holds.
type inside struct {
	html  string
	shape string // the name of what is the same for other texts; two cards of one shape differ in addresses and in what is said of the text
	same  bool   // a script has it: html is only what is said of the text
}

// usualCard is more bytes than what most cards hold.
const usualCard = 32 << 10

// inside draws what a card holds, or of a card that the script has what is said of the text.
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

// withoutQuery is HTML whose addresses have a mark in the place of a part of their queries, as scripts find it there.
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
