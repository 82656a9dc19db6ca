package main

import "testing"

// TestReachPage: a slider is answered at once; a wider window needs fewer layers.
func TestReachPage(t *testing.T) {
	ctx := browse(t, "/reach?of=longformer&n=24&option.window=4&option.global=")
	eventually(t, ctx, `document.querySelectorAll('#reach-table tbody tr').length === 6 && document.querySelectorAll('#reach-map path').length === 6`)
	ask[bool](t, ctx, `(() => { const s = document.getElementById('cost-option-window'); s.value = '16'; s.dispatchEvent(new Event('input', { bubbles: true })); return true; })()`)
	eventually(t, ctx, `document.querySelectorAll('#reach-table tbody tr').length === 3 && document.getElementById('reach-says').textContent.includes('after layer 3 every word') && location.search.includes('option.window=16')`)
	eventually(t, ctx, `document.documentElement.scrollWidth <= innerWidth`)
}
