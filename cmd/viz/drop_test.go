package main

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"testing"

	"attnatlas/engine/figure"

	"github.com/chromedp/chromedp"
)

// TestDroppedFigure: a figure of any format that is dropped onto a page opens its view.
func TestDroppedFigure(t *testing.T) {
	ctx := tab(t)
	for name, want := range map[string]string{
		"x.png":  "/m/dense?head=2&layer=1&text=A+%22cat%22+%26+%E7%8C%AB",
		"x.svg":  "/m/dense?head=2&layer=1&text=A+%22cat%22+%26+%E7%8C%AB",
		"x.pdf":  "/m/dense?head=2&layer=1&text=A+%22cat%22+%26+%E7%8C%AB",
		"x.html": "/m/dense?head=2&layer=1&text=A+%22cat%22+%26+%E7%8C%AB",
		"x.json": "/m/dense?head=2&layer=1&text=A+%22cat%22+%26+%E7%8C%AB",
	} {
		file, err := os.ReadFile(rendered(t, name, "--text", `A "cat" & 猫`, "-m", "dense", "--head", "2", "--layer", "1",
			"--preset", "slide"))
		must(t, err)
		visit(t, ctx, pages(t).URL+"/about")
		drop(t, ctx, name, file)
		eventually(t, ctx, fmt.Sprintf(`location.pathname + location.search === %q`, want))
	}
}

// TestDroppedSource: a page reads the same address from a PNG as viz inspect, whatever bytes follow the address. It
// reports files that are no figures of ours.
func TestDroppedSource(t *testing.T) {
	ctx := tab(t)
	must(t, chromedp.Do(ctx, chromedp.Navigate(pages(t).URL+"/about")))
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
		if got := ask[string](t, ctx, fmt.Sprintf(`import(new URL('../js/drop.js', document.querySelector('script[type=module]').src)).then(({ sourceOf }) => sourceOf(Uint8Array.from(atob(%q), (c) => c.charCodeAt(0)).buffer) ?? 'none')`, base64.StdEncoding.EncodeToString(file))); got != want {
			t.Errorf("%s: a page reads %q, not %q", kind, got, want)
		}
	}
	for _, file := range []string{"", "no figure", "\x89PNG\r\n\x1a\n", "\x89PNG\r\n\x1a\n\x00\x00\xff\xfftEXtSource",
		"%PDF-1.4 /Source <FEFF00>"} {
		must(t, chromedp.Do(ctx, chromedp.Navigate(pages(t).URL+"/about")))
		eventually(t, ctx, `document.readyState === 'complete'`)
		drop(t, ctx, "x.png", []byte(file))
		eventually(t, ctx, `document.querySelector('[role=alert]')?.textContent.startsWith('This file does not contain the provenance')`)
	}
}

// TestDroppedNonsense: an unreadable address leads to a page with an error, and no file throws.
func TestDroppedNonsense(t *testing.T) {
	ctx := tab(t)
	must(t, chromedp.Do(ctx, chromedp.Navigate(pages(t).URL+"/about")))
	eventually(t, ctx, `document.readyState === 'complete'`)
	drop(t, ctx, "x.json", []byte(`{"Source": "/export/%.png"}`))
	eventually(t, ctx, `location.pathname.startsWith('/m/') && document.querySelector('main') !== null`)
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
func drop(t *testing.T, ctx context.Context, name string, file []byte) {
	t.Helper()
	ask[bool](t, ctx, fmt.Sprintf(`(() => {
		const bytes = Uint8Array.from(atob(%q), (c) => c.charCodeAt(0)), data = new DataTransfer();
		data.items.add(new File([bytes], %q));
		document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
		return true;
	})()`, base64.StdEncoding.EncodeToString(file), name))
}
