package wall_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"attnatlas/web/browsertest"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
)

// emojiFonts returns the fonts of this machine that the style sheet prefers for emoji to the font of the page.
func emojiFonts(t *testing.T) (names []string) {
	t.Helper()
	sheet, err := os.ReadFile("../../static/css/scripts.css")
	browsertest.Must(t, err)
	for line := range strings.Lines(string(sheet)) {
		if strings.Contains(line, "/emoji.ttf") {
			for _, local := range regexp.MustCompile(`local\('([^']+)'\)`).FindAllStringSubmatch(line, -1) {
				names = append(names, local[1])
			}
		}
	}
	return names
}

// TestPiecesOfAnEmojiAreNoBoxes: every character of an emoji is drawn: in a font of this machine that the style
// sheet names, or else in the font of the page.
func TestPiecesOfAnEmojiAreNoBoxes(t *testing.T) {
	tab, ofMachine := browsertest.Open(t), emojiFonts(t)
	tab.Visit(browsertest.Server(t).URL + "/?text=%F0%9F%99%82&m=dense")
	_, err := chromedp.Call(tab, dom.Enable, dom.EnableParams{})
	browsertest.Must(t, err)
	_, err = chromedp.Call(tab, css.Enable, cdp.Empty{})
	browsertest.Must(t, err)
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		root, err := chromedp.Call(tab, dom.GetDocument, dom.GetDocumentParams{})
		browsertest.Must(t, err)
		list, err := chromedp.Call(tab, dom.QuerySelectorAll,
			dom.QuerySelectorAllParams{NodeID: root.Root.NodeID, Selector: ".token.byte .word"})
		browsertest.Must(t, err)
		foreign := ""
		for _, node := range list.NodeIDs {
			used, err := chromedp.Call(tab, css.GetPlatformFontsForNode, css.GetPlatformFontsForNodeParams{NodeID: node})
			browsertest.Must(t, err)
			if !slices.ContainsFunc(used.Fonts, func(f *css.PlatformFontUsage) bool {
				return f.IsCustomFont && f.FamilyName == "Noto Emoji" || slices.Contains(ofMachine, f.FamilyName)
			}) {
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
