package cost_test

import (
	"testing"

	"attnatlas/web/browsertest"
)

// TestReachPage: a slider updates the page at once; a wider window needs fewer layers.
func TestReachPage(t *testing.T) {
	tab := browsertest.Browse(t, "/reach?of=longformer&n=24&option.window=4&option.global=")
	tab.Eventually(`document.querySelectorAll('#reach-table tbody tr').length === 6
		&& document.querySelectorAll('#reach-map path').length === 6`)
	tab.Slide("cost-option-window", "16")
	tab.Eventually(`document.querySelectorAll('#reach-table tbody tr').length === 3
		&& document.getElementById('reach-says').textContent.includes('after layer 3, every word') && location.search.includes('option.window=16')`)
	tab.Eventually(`document.documentElement.scrollWidth <= innerWidth`)
}
