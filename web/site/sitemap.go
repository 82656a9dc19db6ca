package site

import (
	"encoding/xml"
	"net/http"
)

// siteMapPath is where the addresses of all pages are (https://www.sitemaps.org/protocol.html).
const siteMapPath = "/sitemap.xml"

// siteMap lists addresses.
type siteMap struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []siteMapURL `xml:"url"`
}

type siteMapURL struct {
	Location string `xml:"loc"`
}

// serveSiteMap answers GET /sitemap.xml: every page, as whoever asks knows this server. Frames for other sites are no
// pages of their own.
func (s *Server) serveSiteMap(w http.ResponseWriter, r *http.Request) error {
	var m siteMap
	for _, path := range s.Paths() {
		if !Framed(path) {
			m.URLs = append(m.URLs, siteMapURL{s.Rooted(r, path)})
		}
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	if _, err := w.Write([]byte(xml.Header)); err != nil {
		return err
	}
	return xml.NewEncoder(w).Encode(m)
}
