package export_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"net/http"
	"slices"
	"testing"

	"attnatlas/engine/figure"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// TestDroppedFigure: a figure of any format that is dropped onto a page opens its view.
func TestDroppedFigure(t *testing.T) {
	tab := browsertest.Open(t)
	const want = "/m/dense?head=2&layer=1&text=A+%22cat%22+%26+%E7%8C%AB"
	for _, format := range []string{"png", "svg", "pdf", "html", "json"} {
		status, file := browsertest.Fetch(t, browsertest.Server(t).URL+"/export/dense."+format+
			"?text=A+%22cat%22+%26+%E7%8C%AB&head=2&layer=1&preset=slide")
		if status != http.StatusOK {
			t.Fatalf("%s: status %d", format, status)
		}
		tab.Visit(browsertest.Server(t).URL + "/about")
		drop(tab, "x."+format, []byte(file))
		tab.Eventually(fmt.Sprintf(`location.pathname + location.search === %q`, want))
	}
}

// TestDroppedSource: a page reads the same address from a PNG as viz inspect, whatever bytes follow the address. It
// reports files that are no figures of ours.
func TestDroppedSource(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Do(chromedp.Navigate(browsertest.Server(t).URL + "/about"))
	behind := map[string]bool{} // kinds of the first byte of the checksum, which follows the address
	for i := 0; len(behind) < 4; i++ {
		want := fmt.Sprintf("/export/dense.png?text=%d", i)
		chunk := append([]byte("tEXtSource\x00"), want...)
		check := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk))
		kind := kindOf(check[0])
		if behind[kind] {
			continue
		}
		behind[kind] = true
		file := slices.Concat([]byte("\x89PNG\r\n\x1a\n"), binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4)), chunk,
			check, []byte("\x00\x00\x00\x00IEND\xaeB`\x82"))
		if meta, err := figure.OriginOf(file); err != nil || meta[0].Value != want {
			t.Fatalf("viz inspect reads %v (%v)", meta, err)
		}
		if got := browsertest.Ask[string](tab, fmt.Sprintf(`dropped.source(%q)`,
			base64.StdEncoding.EncodeToString(file))); got != want {
			t.Errorf("%s: a page reads %q, not %q", kind, got, want)
		}
	}
	for _, file := range []string{"", "no figure", "\x89PNG\r\n\x1a\n", "\x89PNG\r\n\x1a\n\x00\x00\xff\xfftEXtSource",
		"%PDF-1.4 /Source <FEFF00>"} {
		tab.Do(chromedp.Navigate(browsertest.Server(t).URL + "/about"))
		tab.Eventually(`document.readyState === 'complete'`)
		drop(tab, "x.png", []byte(file))
		tab.Eventually(`document.querySelector('[role=alert]')?.textContent.startsWith('This file does not contain the provenance')`)
	}
}

// TestDroppedNonsense: an unreadable address leads to a page with an error, and no file throws.
func TestDroppedNonsense(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Do(chromedp.Navigate(browsertest.Server(t).URL + "/about"))
	tab.Eventually(`document.readyState === 'complete'`)
	drop(tab, "x.json", []byte(`{"Source": "/export/%.png"}`))
	tab.Eventually(`location.pathname.startsWith('/m/') && document.querySelector('main') !== null`)
}

// kindOf returns the kind of a byte in a text.
func kindOf(b byte) string {
	switch {
	case b == 0:
		return "nothing"
	case b <= ' ':
		return "control"
	case b < 0x7f:
		return "letter"
	}
	return "beyond"
}

// drop drops a file onto the page.
func drop(tab *browsertest.Tab, name string, file []byte) {
	browsertest.Ask[bool](tab, fmt.Sprintf(`dropped.on(%q, %q)`, name, base64.StdEncoding.EncodeToString(file)))
}
