package atlas_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"attnatlas/web/atlas"
	"attnatlas/web/browsertest"
	"attnatlas/web/site"
)

// TestAccessibility: no page violates WCAG 2.2 AA, or is wider than its window, a wide or a narrow one.
func TestAccessibility(t *testing.T) {
	t.Parallel()
	long := url.QueryEscape(strings.Repeat("the old man and the sea ", 10))
	paths := []string{
		"/?theme=light", "/?theme=dark&pin=3.4", "/?theme=light&mask=causal&norm=uniform", "/?text=",
		"/?theme=light&text=" + url.QueryEscape(nasty), "/about", "/nothing", "/results?theme=light", "/results?theme=dark",
		"/cost?theme=light&of=longformer&n=300", "/cost?theme=dark&width=30", "/steps?theme=light&m=dense&pin=3",
		"/steps?m=shuffle-exchange&map=gates",
		"/hashing?theme=light&rounds=3", "/pondering", "/reversing?theme=light",
		"/hashing?theme=dark&head=3&text=a+dog", "/reach?theme=light", "/reach?theme=dark&of=bigbird&n=500",
		"/desk?theme=light&m=mixture-rdv&share.1.random=0.3&share.1.dense=0.6",
		"/desk?theme=dark&m=mixture-rv&share.1.random=0.3&share.1.dot-product=0.9", "/desk?theme=light&m=random&rank=4",
		"/desk?theme=light&m=linear&pin=4",
		"/?m=bert,gpt2&text=" + url.QueryEscape("The cat [MASK] ||| a [MASK] dog") + "&was=&was=big",
		"/?theme=light&text=" + long, "/?theme=light&text=" + long + long,
		"/m/encoder-decoder?theme=light&step=3", "/m/encoder-decoder?theme=dark&step=2", "/m/dense?text=",
		"/m/random?theme=dark&text=" + url.QueryEscape(nasty),
		"/?theme=light&large=fastformer", "/?theme=light&cut=word:3&dense.cut=head:1.2&pin=3.4",
		"/?present=1", "/m/fastformer?theme=light", "/m/fastformer?theme=dark&mask=causal", "/m/mixture-rv?theme=dark&head=2", "/m/bigbird?theme=light",
		"/m/dense/source?theme=light", "/m/fastformer/source?theme=dark",
		"/steps?theme=light&m=encoder-decoder&layer=3&pin=2", "/m", "/m/fasformer",
		"/write?theme=dark", "/write?step=3", "/write?words=x",
	}
	server, err := atlas.New(nil, site.Options{})
	browsertest.Must(t, err)
	for _, p := range server.Pages() { // pages that are not above, without parameters
		if bare := func(path string) bool { before, _, _ := strings.Cut(path, "?"); return before == p.Path }; p.Path != "" &&
			!slices.ContainsFunc(paths, bare) {
			paths = append(paths, p.Paths()[0])
		}
	}
	for i, path := range paths {
		t.Run(path, func(t *testing.T) {
			tab := browsertest.Open(t)
			widths := []int64{1440, 390}
			if i > 1 {
				widths = widths[:1]
			}
			for _, width := range widths {
				tab.Window(width, 900)
				tab.Visit(browsertest.Server(t).URL + path)
				browsertest.Ask[bool](tab, `opened()`)
				tab.Settled()
				tab.Eventually(`!document.querySelector('[aria-busy=true]')`) // folded content has been loaded
				for _, v := range tab.Violations() {
					t.Errorf("at %d pixels: %s", width, v)
				}
				tab.Fits(path)
			}
			tab.Window(390, 900)
			tab.Fits(path)
		})
	}
}

// nasty is a text that a page must escape.
const nasty = `<script>alert(1)</script> "quoted" & 'x' <img src=x onerror=alert(1)> القط 小猫 😀 </textarea>`
