package main

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestCostPage: sliders are answered at once, options belong to the mechanism that is looked at, and what is measured
// comes while it is measured.
func TestCostPage(t *testing.T) {
	ctx := browse(t, "/cost?of=longformer&n=64")
	eventually(t, ctx, `document.querySelector('#cost-options [name="option.window"]') !== null`)
	slide := func(id, value string) {
		ask[bool](t, ctx, `(() => { const s = document.getElementById('`+id+`'); s.value = '`+value+`'; s.dispatchEvent(new Event('input', { bubbles: true })); return true; })()`)
	}
	slide("cost-option-window", "8")
	eventually(t, ctx, `document.querySelector('#cost-chosen p').textContent.includes('window=8') && location.search.includes('option.window=8')`)
	slide("cost-n", "1000")
	eventually(t, ctx, `document.querySelector('#cost-all p').textContent.includes('At 1000 positions') && document.querySelector('output[for=cost-n]').value === '1000'`)
	slide("cost-of", "linformer")
	eventually(t, ctx, `document.querySelector('#cost-options [name="option.slots"]') !== null && document.querySelector('#cost-options [name="option.window"]') === null`)
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#cost-ask"))))
	eventually(t, ctx, `document.querySelector('#cost-measure').dataset.running === 'true' || document.querySelector('#plot-time') !== null`)
	eventually(t, ctx, `document.querySelectorAll('#plot-time .line').length > 15`)
	eventually(t, ctx, `document.querySelector('#cost-legend a[aria-current=true]').textContent === 'Linformer' && document.documentElement.scrollWidth <= innerWidth`)
}
