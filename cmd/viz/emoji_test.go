package main

import (
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
)

// TestPiecesOfAnEmojiAreNoBoxes: every piece of a character shows it, in a font that comes with the page.
func TestPiecesOfAnEmojiAreNoBoxes(t *testing.T) {
	ctx := tab(t)
	visit(t, ctx, pages(t).URL+"/?text=%F0%9F%99%82&m=dense")
	_, err := chromedp.Call(ctx, dom.Enable, dom.EnableParams{})
	must(t, err)
	_, err = chromedp.Call(ctx, css.Enable, cdp.Empty{})
	must(t, err)
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		root, err := chromedp.Call(ctx, dom.GetDocument, dom.GetDocumentParams{})
		must(t, err)
		list, err := chromedp.Call(ctx, dom.QuerySelectorAll, dom.QuerySelectorAllParams{NodeID: root.Root.NodeID, Selector: ".token.byte .word"})
		must(t, err)
		foreign := ""
		for _, node := range list.NodeIDs {
			used, err := chromedp.Call(ctx, css.GetPlatformFontsForNode, css.GetPlatformFontsForNodeParams{NodeID: node})
			must(t, err)
			if !slices.ContainsFunc(used.Fonts, func(f *css.PlatformFontUsage) bool { return f.IsCustomFont && f.FamilyName == "Noto Emoji" }) {
				foreign += " a piece in"
				for _, f := range used.Fonts {
					foreign += " " + f.FamilyName
				}
			}
		}
		if len(list.NodeIDs) == 4 && foreign == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d pieces:%s", len(list.NodeIDs), foreign)
		}
	}
}
