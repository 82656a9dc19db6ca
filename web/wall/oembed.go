package wall

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
)

// Sizes of a frame in pixels: of one map, of the parts above and below maps, and the largest that a program may ask
// for.
const (
	frameWidth  = 900
	frameMap    = 430
	frameAround = 190
	cardAround  = 230
	mostFrame   = 10_000
)

// embeddedTable holds the parameters of the protocol.
var embeddedTable = address.ParamTable[url.Values]{
	address.Required(anything("url")), anything("format"), anything("maxwidth"), anything("maxheight"),
}

// anything accepts a parameter that is parsed later.
func anything(key string) address.Param[url.Values] {
	return address.Custom(key, func(*address.Decoder, *url.Values) {}, func(url.Values) string { return "" })
}

// serveOEmbed answers GET /oembed.
func (s *Views) serveOEmbed(w http.ResponseWriter, r *http.Request) error {
	v, bad := address.ParseQuery(r.URL.RawQuery)
	if err := address.Join(bad); err != nil {
		return err
	}
	format := v.Get("format")
	if format != "" && format != "json" && format != "xml" {
		return &site.StatusError{Status: http.StatusNotImplemented,
			Msg: messages.New("error.oembed.format", "format", messages.Quote(site.Clean(format)))}
	}
	width, err := atMost(v, "maxwidth", frameWidth)
	if err != nil {
		return err
	}
	height, err := atMost(v, "maxheight", mostFrame)
	if err != nil {
		return err
	}
	p, err := s.embedded(r, v.Get("url"))
	if err != nil {
		return err
	}
	if err := p.Inspect(r.Context()); err != nil {
		return err
	}
	if len(p.Errs) > 0 {
		return p.Errs[0]
	}
	answer, err := p.oEmbed(width, height)
	if err != nil {
		return err
	}
	if format == "xml" {
		w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		_, err = w.Write(answer.AppendXML(nil))
		return err
	}
	return site.SendJSON(w, answer)
}

// atMost parses a size in pixels. If there is none, it returns the default size.
func atMost(v url.Values, key string, usual int) (int, error) {
	if !v.Has(key) {
		return usual, nil
	}
	n, err := strconv.Atoi(v.Get(key))
	if err != nil || n < 1 || n > mostFrame {
		return 0, address.Invalid(key, "param.number", "key", key, "value", site.Clean(v.Get(key)), "most", mostFrame)
	}
	return min(n, usual), nil
}

// embedded returns the frame for the address of one of our pages: of the wall, of a mechanism, or of a frame.
func (s *Views) embedded(r *http.Request, absolute string) (*View, error) {
	u, ok := s.Ours(r, absolute)
	if !ok {
		return nil, fault.Errorf(fault.NotFound, "error.oembed.url", "example", s.Rooted(r, "/m/dense"))
	}
	query := u.Query()
	if id, is := strings.CutPrefix(u.Path, "/m/"); is && s.Find(id) != nil {
		query.Set(address.Mechanisms, id)
	} else if u.Path != "/" && u.Path != site.EmbedPath {
		return nil, fault.Errorf(fault.NotFound, "error.oembed.page", "path", messages.Quote(site.Clean(u.Path)))
	}
	asked := r.Clone(r.Context())
	asked.URL = &url.URL{Path: site.EmbedPath, RawQuery: query.Encode()}
	p, _ := s.ReadPage(asked, nil)
	p.replaceUnknown()
	return p, nil
}

// oEmbed returns the frame of a page with its size and a picture of its first map.
func (p *View) oEmbed(width, height int) (OEmbed, error) {
	src := p.Site.Rooted(p.Request, address.Embed(p.State))
	columns := max(1, min(len(p.State.Mechanisms), width/frameMap))
	rows := (len(p.State.Mechanisms) + columns - 1) / columns
	height = min(height, frameAround+rows*(min(frameMap, width/columns)+cardAround))
	title := beginningOf(p.State) + " · Attention Atlas"
	var frame bytes.Buffer
	if err := components.Frame(components.FrameTag{Source: src, Title: title, Width: width,
		Height: height}).Render(p.Request.Context(), &frame); err != nil {
		return OEmbed{}, err
	}
	a := OEmbed{
		Type: "rich", Version: "1.0", Title: title, ProviderName: "Attention Atlas",
		ProviderURL: p.Site.Rooted(p.Request, "/"),
		HTML:        frame.String(), Width: width, Height: height,
	}
	p.thumbnail(&a, width, height)
	return a, nil
}

// thumbnail adds a picture of the first map, if it fits into the size that was asked for.
func (p *View) thumbnail(a *OEmbed, width, height int) {
	at := slices.IndexFunc(p.Sel.Report.Mechanisms, func(m engine.Result) bool { return m.Err == nil && m.Entry != nil })
	if at < 0 {
		return
	}
	m := &p.Sel.Report.Mechanisms[at]
	x, err := p.Sel.Exhibit(m.ID, exhibit.MainMap(m.Entry), 0)
	if err != nil {
		return
	}
	st := p.State
	st.Theme = st.PaperTheme().String()
	img := p.Picture(st, x, CardWidth)
	if img.Width <= width && img.Height <= height && img.URL != "" {
		a.ThumbnailURL, a.ThumbnailWidth, a.ThumbnailHeight = p.Site.Rooted(p.Request, img.URL), img.Width, img.Height
	}
}

// discovery returns the address of a page's oEmbed description. It is empty for a long text, which would make the
// page longer than its maps do.
func (p *View) discovery() string {
	const long = 2 << 10
	here := p.Site.Rooted(p.Request, p.URL(p.State))
	if len(here) > long || p.Pair != nil {
		return ""
	}
	return p.Site.Rooted(p.Request, site.OEmbedPath) + "?" + url.Values{"url": {here}}.Encode()
}
