package export

import (
	"net/url"
	"strconv"

	"attnatlas/components"
	"attnatlas/web/address"
	"attnatlas/web/live"
	"attnatlas/web/site"
)

// live returns the link to the self-contained page with a note of its size, or a note why there is
// no link.
func (t *take) live() (components.Link, string) {
	if err := t.Site.Live.Available(); err != nil {
		return components.Link{}, t.Say(site.MessageOf(err))
	}
	v := url.Values{}
	for key, values := range t.query {
		v[key] = values
	}
	for _, key := range notLive {
		v.Del(key)
	}
	v.Set(address.Live, "1")
	inner := t.Request.Clone(t.Request.Context())
	inner.URL.RawQuery = v.Encode()
	f, err := t.pages.decodeLive(inner, t.id)
	if err != nil {
		return components.Link{}, t.T("take.live-not", "cause", t.Say(site.MessageOf(err)))
	}
	weights := 0
	for _, id := range f.Mechanisms {
		_, data, err := t.Site.Live.Weights(id)
		if err != nil {
			return components.Link{}, t.T("take.live-not", "cause", t.Say(site.MessageOf(err)))
		}
		weights += len(data)
	}
	link := components.Link{
		Label: t.T("take.live"), Download: t.id + ".live.html",
		URL: "/export/" + url.PathEscape(t.id) + ".html?" + v.Encode(),
	}
	return link, t.T("take.live-size", "megabytes", strconv.FormatFloat(float64(live.Size(weights))/1e6, 'f', 1, 64))
}
