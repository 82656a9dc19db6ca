package web

import (
	"net/http"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/web/address"
)

// embedPath is that of the wall for frames of other sites.
const embedPath = "/embed"

// framed says whether any site may frame what is at a path: the maps of a text that its own address says, without
// a field to write in.
func framed(path string) bool { return path == embedPath }

// serveEmbed answers GET /embed: the wall without what stands around it.
func (s *Server) serveEmbed(w http.ResponseWriter, r *http.Request) error { return s.serveWall(w, r) }

// embed takes from the wall what is not for frames, and leads to the whole of it.
func (p *page) embed(w *components.Wall) {
	keys := slices.DeleteFunc(address.Keys(), func(key string) bool { return slices.Contains(unframed, key) })
	w.Embedded = components.Embedded{
		Open: components.Link{Label: p.t("embed.open"), Hint: p.t("embed.open-hint"), URL: address.Wall(p.state)},
		Keys: strings.Join(keys, " "),
	}
}

// unframed are the keys of what stands above the maps of a whole page, and of figures.
var unframed = []string{address.Example, address.Walk, address.From, address.Race, address.After, address.Step}
