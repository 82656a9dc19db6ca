package components

import (
	"bytes"
	"context"
	"io"
	"sync"

	"attnatlas/engine/messages"

	"github.com/a-h/templ"
)

// textsOfScripts caches the texts for scripts as HTML, by language.
var textsOfScripts sync.Map

// scriptTexts returns the texts for a page's scripts. They are rendered once per language.
func scriptTexts(l *messages.Language) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		known, ok := textsOfScripts.Load(l)
		if !ok {
			var html bytes.Buffer
			texts := templ.JSONScript("messages", l.Templates("script.", "reading.", "verb."))
			if err := texts.Render(context.Background(), &html); err != nil {
				return err
			}
			known, _ = textsOfScripts.LoadOrStore(l, html.Bytes())
		}
		_, err := w.Write(known.([]byte))
		return err
	})
}
