package wall

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/web/address"
)

// serveEmbed answers GET /embed: the wall without the rest of its page.
func (s *Views) serveEmbed(w http.ResponseWriter, r *http.Request) error { return s.serveWall(w, r) }

// embed removes from the wall what frames do not show, and adds a link to the whole wall.
func (p *View) embed(w *components.Wall) {
	keys := slices.DeleteFunc(address.Keys(), func(key string) bool { return slices.Contains(unframed, key) })
	w.Embedded = components.Embedded{
		Open: components.Link{Label: p.T("embed.open"), Hint: p.T("embed.open-hint"), URL: address.Wall(p.State)},
		Keys: strings.Join(keys, " "),
	}
	w.Drawn = p.drawn(w.DataURL)
}

// drawn returns the numbers that the page's script would request. A frame in a sandbox has an origin of its own, and
// the server does not answer that origin.
func (p *View) drawn(at string) json.RawMessage {
	_, query, _ := strings.Cut(at, "?")
	v, bad := address.ParseQuery(query)
	answer, err := p.Site.drawing(p.Request, drawingTakes.Read(v, bad, p.Site.Vocab, ""))
	if err != nil {
		return nil
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return nil
	}
	return body
}

// unframed are the keys of parameters for figures, and for the part of a page above its maps.
var unframed = []string{address.Example, address.Walk, address.From, address.Race, address.After, address.Step}
