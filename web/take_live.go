package web

import (
	"net/url"
	"strconv"

	"attnatlas/components"
	"attnatlas/web/address"
	"attnatlas/web/live"
)

// live leads to the figure as a page that computes, and says how large that is, or why there is none.
func (t *take) live() (components.Link, string) {
	if t.s.live.Program == nil {
		return components.Link{}, t.t("take.live-none")
	}
	v := url.Values{}
	for key, values := range t.query {
		v[key] = values
	}
	for _, key := range notLive {
		v.Del(key)
	}
	v.Set(address.Live, "1")
	inner := t.r.Clone(t.r.Context())
	inner.URL.RawQuery = v.Encode()
	f, err := t.s.decodeLive(inner, t.id)
	if err != nil {
		return components.Link{}, t.t("take.live-not", "cause", t.say(messageOf(err)))
	}
	weights := 0
	for _, id := range f.Mechanisms {
		_, data, err := t.s.live.Weights(id)
		if err != nil {
			return components.Link{}, t.t("take.live-not", "cause", t.say(messageOf(err)))
		}
		weights += len(data)
	}
	link := components.Link{
		Label: t.t("take.live"), Download: t.id + ".live.html",
		URL: "/export/" + url.PathEscape(t.id) + ".html?" + v.Encode(),
	}
	return link, t.t("take.live-size", "megabytes", strconv.FormatFloat(float64(live.Size(weights))/1e6, 'f', 1, 64))
}
