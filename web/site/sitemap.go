package site

import (
	"encoding/xml"
	"fmt"
	"net/http"

	"attnatlas/static"
)

// siteMapPath is the path of the site map (https://www.sitemaps.org/protocol.html).
const siteMapPath = "/sitemap.xml"

// robotsPath is the path of the rules for crawlers (RFC 9309).
const robotsPath = "/robots.txt"

// serveRobots answers GET /robots.txt. Crawlers visit every page once, and none of the endless addresses of pages
// with a text.
func (s *Server) serveRobots(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintln(w, "User-agent: *\nDisallow:", s.base+"/")
	for _, path := range append(s.Paths(), ElementPath, siteMapPath) {
		fmt.Fprintln(w, "Allow:", s.base+path+"$")
	}
	fmt.Fprintln(w, "Allow:", s.base+static.Root)
	_, err := fmt.Fprintln(w, "Sitemap:", s.Rooted(r, siteMapPath))
	return err
}

// siteMap lists addresses.
type siteMap struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []siteMapURL `xml:"url"`
}

type siteMapURL struct {
	Location string `xml:"loc"`
}

// serveSiteMap answers GET /sitemap.xml with the address of every page, under the host that the client knows. The
// frame for other sites is not listed.
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
