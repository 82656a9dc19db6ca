package wall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/browsertest"
	"attnatlas/web/webtest"

	"github.com/chromedp/chromedp"
)

// arranged is the address of a wall with another order of tokens.
const arranged = "/?theme=light&text=The+cat+sat+on+the+mat+because&layer=1&m=dense,fastformer,reformer&head=1&arrange=similarity&special=0"

// TestArrange: cards show the tokens in the chosen order, without excluded ones. The pin and the pointer read the
// same values as in the order of the text.
func TestArrange(t *testing.T) {
	tab := browsertest.Open(t)
	says := func(path string) (all []string) {
		tab.Sized(1440, 900, path+"&pin=3.7")
		tab.Eventually(`document.querySelectorAll('.reading dd').length === 3`)
		return browsertest.Ask[[]string](tab, `[...document.querySelectorAll('.reading dd')].map((one) => one.textContent)`)
	}
	usual := strings.NewReplacer("&arrange=similarity", "", "&special=0", "").Replace(arranged)
	if in, out := says(usual), says(arranged); !slices.Equal(in, out) {
		t.Errorf("the pinned cell is %q, and in the order of the text %q", out, in)
	}
	tab.Sized(1440, 900, arranged)
	labels := `(document.querySelector('.card[data-mechanism=%s] .labels-rows .label')?.textContent.trim().split('\n') ?? [])`
	tab.Eventually(fmt.Sprintf(labels, "dense") + `.length === 7`)
	dense := browsertest.Ask[[]string](tab, fmt.Sprintf(labels, "dense"))
	words := browsertest.Ask[[]string](tab, `[...document.querySelectorAll('.token')].map((one) => one.dataset.label).slice(1, -1)`)
	if slices.Equal(dense, words) || !slices.Equal(slices.Sorted(slices.Values(dense)), slices.Sorted(slices.Values(words))) {
		t.Errorf("the rows are %q of the words %q", dense, words)
	}
	if all := browsertest.Ask[[]string](tab, fmt.Sprintf(labels, "reformer")); all[0] != "[CLS]" {
		t.Errorf("the card whose maps name positions shows %q", all)
	}
	tab.Eventually(fmt.Sprintf(`document.querySelector('.card[data-mechanism=reformer] .note').textContent.includes(%q)`,
		messages.English.T("arrange.kept")))

	x, y := tab.Cell("dense", 2, 5)
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	tab.Eventually(fmt.Sprintf(`document.getElementById('pair').textContent.startsWith(%q)
		&& document.getElementById('pair').textContent.includes(%q)`, dense[2], dense[5]))
}

// TestArrangedDrawing: drawings of scripts and exports have the same order.
func TestArrangedDrawing(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for _, order := range exhibit.Orders() {
		query := "text=one+two+three+four&m=dense&special=0&arrange=" + order.String()
		maps := webtest.Drawing(t, s, query).Mechanisms[0].Maps[0]
		page := webtest.Get(s, "/?"+query).Body.String()
		if maps.Rows != 4 || maps.Cols != 4 || strings.Count(page, `places&#34;`)+strings.Count(page, `places&quot;`) == 0 {
			t.Errorf("%s: %d × %d cells", order, maps.Rows, maps.Cols)
		}
	}
	for _, bad := range []string{"arrange=random", "special=2"} {
		if w := webtest.Get(s, "/api/v1/drawing?text=one&m=dense&"+bad); w.Code != 400 {
			t.Errorf("%s: %d", bad, w.Code)
		}
	}
}
