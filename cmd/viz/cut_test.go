package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"attnatlas/web/mechanism"

	"github.com/chromedp/chromedp"
)

// TestCutFlag: the command line ablates like the server, and reports errors.
func TestCutFlag(t *testing.T) {
	_, whole, _ := viz(t, "attend", "--text", "The food was not good.", "-m", "dense")
	status, cut, errs := viz(t, "attend", "--text", "The food was not good.", "-m", "dense", "--cut", "word:5,head:1.2")
	if status != 0 || !strings.Contains(whole, "negative 0.9") || !strings.Contains(cut, "positive 0.9") {
		t.Errorf("%d %s\n%s\n%s", status, errs, whole, cut)
	}
	if status, _, errs := viz(t, "attend", "--text", "a", "-m", "dense", "--cut", "tooth:1"); status == 0 ||
		!strings.Contains(errs, `“tooth:1” in cut must be word:5`) {
		t.Errorf("%d %s", status, errs)
	}
}

// TestCutOnThePageOfWriting: the encoder–decoder's page writes without the blocked word, lists the changed words,
// keeps the ablation for another text, undoes it, and refuses a head that does not exist. The API and the command do
// the same.
func TestCutOnThePageOfWriting(t *testing.T) {
	const query = "?text=the+old+cat+sat&cut="
	ctx := browse(t, "/m/encoder-decoder"+query+"word:4")
	eventually(t, ctx, `/the model writes “sat cat old the”; now “sat old the”.*written word 2\s+cat .*old /.test(document.querySelector('#written .cut-change')?.textContent.replace(/\s+/g, ' '))`)
	eventually(t, ctx, `[...document.querySelectorAll('a.step')].map((one) => one.textContent).join(' ') === 'sat old the [SEP]' && document.querySelector('input[name=cut]').value === 'word:4'`)
	eventually(t, ctx, `[...document.querySelectorAll('#training img')].length > 0
		&& [...document.querySelectorAll('#training img')].every((one) => one.naturalWidth > 0)`)
	must(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#restore-all"))))
	eventually(t, ctx, `!location.search.includes('cut') && document.querySelectorAll('a.step').length === 5
		&& !document.querySelector('.cut-change')`)
	visit(t, ctx, pages(t).URL+"/m/encoder-decoder"+query+"head:9.1")
	eventually(t, ctx, `document.querySelector('#written .message').textContent.includes('has 2 layers, and no layer 9')
		&& document.querySelector('.restore')`)
	visit(t, ctx, pages(t).URL+"/m/encoder-decoder"+query+"word:4,cell:2.30")
	eventually(t, ctx, `document.querySelector('#written .message')?.textContent === 'cell:2.30 cannot be ablated: the text has 6 tokens, and no word 30.' && document.querySelectorAll('.cuts li').length === 1`)
	status, out, errs := viz(t, "write", "--text", "the old cat sat", "--cut", "word:4")
	if status != 0 || !strings.Contains(out, "written: sat old the\nwithout ablation: sat cat old the\n") {
		t.Errorf("%d %s %s", status, out, errs)
	}
	if status, _, errs = viz(t, "write", "--text", "the old cat sat", "--cut", "head:9.1"); status == 0 ||
		!strings.Contains(errs, "no layer 9") {
		t.Errorf("%d %s", status, errs)
	}
	var a mechanism.Write
	_, body := asking(t, strings.TrimPrefix(pages(t).URL, "http://"), "/api/v1/write"+query+"word:4")
	must(t, json.Unmarshal(body, &a))
	if a.Written != "sat old the" || a.Whole == nil || *a.Whole != "sat cat old the" ||
		!slices.Equal(a.Changed, []int{2, 3, 4}) || !slices.Equal(a.Cut, []string{"word:4"}) {
		t.Errorf("%+v", a)
	}
}
