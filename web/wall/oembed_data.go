package wall

import (
	"html"
	"strconv"
)

// OEmbed is the response of /oembed: an iframe of type "rich" (https://oembed.com, 2.3.4.4).
type OEmbed struct {
	Type            string `json:"type" doc:"Type of the embedded content, always rich"`
	Version         string `json:"version" doc:"Version of oEmbed, 1.0"`
	Title           string `json:"title" doc:"Title of the figure"`
	ProviderName    string `json:"provider_name" doc:"Name of this site"`
	ProviderURL     string `json:"provider_url" doc:"Address of this site"`
	HTML            string `json:"html" doc:"Iframe element to embed"`
	Width           int    `json:"width" doc:"Width of the iframe in pixels"`
	Height          int    `json:"height" doc:"Height of the iframe in pixels"`
	ThumbnailURL    string `json:"thumbnail_url,omitempty" doc:"Address of a PNG of the first map"`
	ThumbnailWidth  int    `json:"thumbnail_width,omitempty" doc:"Width of the thumbnail in pixels"`
	ThumbnailHeight int    `json:"thumbnail_height,omitempty" doc:"Height of the thumbnail in pixels"`
}

// AppendXML appends the response as XML, for programs without JSON (https://oembed.com, 2.3.4).
func (a OEmbed) AppendXML(to []byte) []byte {
	to = append(to, `<?xml version="1.0" encoding="utf-8" standalone="yes"?>`+"\n<oembed>\n"...)
	for _, one := range []struct {
		name, value string
		number      int
	}{
		{"type", a.Type, 0}, {"version", a.Version, 0}, {"title", a.Title, 0},
		{"provider_name", a.ProviderName, 0}, {"provider_url", a.ProviderURL, 0},
		{"html", a.HTML, 0}, {"width", "", a.Width}, {"height", "", a.Height},
		{"thumbnail_url", a.ThumbnailURL, 0}, {"thumbnail_width", "", a.ThumbnailWidth},
		{"thumbnail_height", "", a.ThumbnailHeight},
	} {
		if one.number > 0 {
			one.value = strconv.Itoa(one.number)
		}
		if one.value != "" {
			to = append(to, "  <"+one.name+">"+html.EscapeString(one.value)+"</"+one.name+">\n"...)
		}
	}
	return append(to, "</oembed>\n"...)
}
