package api

// OEmbed is the answer of /oembed: a frame of type "rich" (https://oembed.com, 2.3.4.4).
type OEmbed struct {
	Type            string `json:"type" doc:"rich"`
	Version         string `json:"version" doc:"Of oEmbed: 1.0"`
	Title           string `json:"title"`
	ProviderName    string `json:"provider_name"`
	ProviderURL     string `json:"provider_url"`
	HTML            string `json:"html" doc:"An iframe"`
	Width           int    `json:"width" doc:"Of the iframe in pixels"`
	Height          int    `json:"height" doc:"Of the iframe in pixels"`
	ThumbnailURL    string `json:"thumbnail_url,omitempty" doc:"A PNG of the first map"`
	ThumbnailWidth  int    `json:"thumbnail_width,omitempty"`
	ThumbnailHeight int    `json:"thumbnail_height,omitempty"`
}
