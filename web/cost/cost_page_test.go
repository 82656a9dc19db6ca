package cost_test

import (
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// TestCostPage: sliders update the page at once, options belong to the selected mechanism, and
// measurements appear while they run.
func TestCostPage(t *testing.T) {
	tab := browsertest.Browse(t, "/cost?of=longformer&n=64")
	tab.Eventually(`document.querySelector('#cost-options [name="option.window"]') !== null`)
	tab.Slide("cost-option-window", "8")
	tab.Eventually(`document.querySelector('#cost-chosen p').textContent.includes('window=8')
		&& location.search.includes('option.window=8')`)
	tab.Slide("cost-n", "1000")
	tab.Eventually(`document.querySelector('#cost-all p').textContent.includes('At 1000 positions')
		&& document.querySelector('output[for=cost-n]').value === '1000'`)
	tab.Slide("cost-of", "linformer")
	tab.Eventually(`document.querySelector('#cost-options [name="option.slots"]') !== null
		&& document.querySelector('#cost-options [name="option.window"]') === null`)
	tab.Do(chromedp.Click(chromedp.CSS("#cost-ask")))
	tab.Eventually(`document.querySelector('#cost-measure').dataset.running === 'true'
		|| document.querySelector('#plot-time') !== null`)
	tab.Eventually(`document.querySelectorAll('#plot-time .line').length > 15`)
	tab.Eventually(`document.querySelector('#cost-legend a[aria-current=true]').textContent === 'Linformer'
		&& document.documentElement.scrollWidth <= innerWidth`)
}
