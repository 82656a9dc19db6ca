package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// open opens a page of a server and waits for its scripts.
func open(t *testing.T, address string) context.Context {
	t.Helper()
	ctx := tab(t)
	must(t, chromedp.Do(ctx, chromedp.Navigate(address)))
	eventually(t, ctx, `document.documentElement.dataset.ready === 'true'`)
	return ctx
}

func TestWriteCommand(t *testing.T) {
	dir := browsertest.Folder(t, "encoder-decoder")
	status, out, errs := viz(t, "write", "--weights", dir, "--text", "the cat sat")
	if status != 0 || !regexp.MustCompile(`(?m)^[ ✕]  1  \S+ .* · .* attends to \S+ 0\.\d{3}$`).MatchString(out) ||
		!strings.Contains(out, "written: ") {
		t.Fatal(status, out, errs)
	}
	if !regexp.MustCompile(`(?m)^attends to: the word of the text that head [1-4] of layer 1, the most distinctive, `).MatchString(out) {
		t.Errorf("it does not say whose reading it is: %s", out)
	}
	if !strings.Contains(out, "wrong") || !strings.Contains(out, "the right answer is: sat cat the") {
		t.Errorf("a model that has learned nothing is called right: %s", out)
	}
	_, raw, _ := viz(t, "write", "--weights", dir, "--text", "the cat sat", "--json")
	_, body := fetch(t, browsertest.ServeFolder(t, dir)+"/api/v1/write?text=the+cat+sat")
	if raw != body || !json.Valid([]byte(raw)) {
		t.Error("the command line and the server answer differently")
	}
	if status, _, errs := viz(t, "write", "--weights", dir, "--text", strings.Repeat("the ", 60)); status != 1 ||
		!strings.Contains(errs, "Remove 30 tokens") {
		t.Error(status, errs)
	}
	if status, _, errs := viz(t, "write", "--weights", dir, "--text", "the cat", "--task", "sort"); status != 1 ||
		!strings.Contains(errs, "Available: reverse") {
		t.Error(status, errs)
	}
	if status, out, errs := viz(t, "write", "--text", "the cat sat on a mat", "--task", "sort"); status != 0 ||
		!strings.Contains(out, "written: a cat mat on sat the\n") {
		t.Error(status, out, errs)
	}
	for _, flags := range [][]string{{"--task", "sort"}, {"--cut", "word:2"}} {
		flags = append(flags, "--model", "../../engine/huggingface/testdata/t5", "--text", "the cat")
		if status, out, errs := viz(t, append([]string{"write"}, flags...)...); status != 1 ||
			!strings.Contains(errs, "apply only to the encoder–decoder") {
			t.Error(flags, status, out, errs)
		}
	}
	if status, _, errs := viz(t, "write", "--weights", t.TempDir(), "--text", "a"); status != 1 ||
		!strings.Contains(errs, "No trained model") {
		t.Error(status, errs)
	}
}

// TestAttendTellsWhatIsExpected: attend prints predictions for every [MASK], or after every word.
func TestAttendTellsWhatIsExpected(t *testing.T) {
	_, out, errs := viz(t, "attend", "--weights", browsertest.Folder(t, "bert", "gpt2"), "-m", "bert,gpt2", "--text",
		"the [MASK] sat")
	for _, want := range []string{`(?m)^bert, predicted words\n  for \[MASK\]       \S+ 0\.\d{3} · \S+ 0\.\d{3} · \S+ 0\.\d{3}$`, `(?m)^gpt2, predicted words\n  after \[CLS\] .*\n  after the .*\n  after \[MASK\] .*\n  after sat `} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("%s is not in %s %s", want, out, errs)
		}
	}
}

// TestStepsFollowTheHand: steps are selected by click, keys and slider, without loading. Maps show the numbers of the
// API under the pointer, and typing writes a new text.
func TestStepsFollowTheHand(t *testing.T) {
	server := browsertest.ServeFolder(t, browsertest.Folder(t, "encoder-decoder"))
	ctx := open(t, server+"/m/encoder-decoder?text=the+cat+sat&layer=1&head=2&theme=light")
	eventually(t, ctx, `document.querySelectorAll('.writing-map canvas.under').length === 4`)
	now := func(step int) string {
		return fmt.Sprintf(`document.querySelector('.step[aria-current=step]').dataset.step === '%d' &&
			[...document.querySelectorAll('.step-panel')].every((p) => p.hidden !== (p.id === 'step-%d')) &&
			[...document.querySelectorAll('.marked rect')].length === 4 && [...document.querySelectorAll('.marked rect')].every((r) => r.getAttribute('y') === '%d')`, step, step, step-1)
	}
	eventually(t, ctx, now(1))
	ask[bool](t, ctx, `document.querySelector('.step[data-step="3"]').click() || true`)
	eventually(t, ctx, now(3)+` && location.search.includes('step=3')`)
	must(t, chromedp.Do(ctx, chromedp.Focus(chromedp.CSS(`.step[data-step="3"]`)), chromedp.KeyEvent(kb.ArrowRight),
		chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowLeft)))
	eventually(t, ctx, now(4)+` && document.activeElement.dataset.step === '4' && location.search.includes('step=4')`)
	ask[bool](t, ctx, `(() => { const s = document.querySelector('#slider input'); s.value = 2; s.dispatchEvent(new Event('input', { bubbles: true })); return true; })()`)
	eventually(t, ctx, now(2))
	ask[bool](t, ctx, `(() => { const a = document.querySelectorAll('.thumb')[6]; a.focus(); a.click(); return true; })()`)
	eventually(t, ctx, now(2)+` && location.search.includes('head=1')
		&& document.querySelectorAll('.thumb')[6].getAttribute('aria-current') === 'true' && document.activeElement === document.querySelectorAll('.thumb')[6]`)
	ask[bool](t, ctx, `document.querySelectorAll('.thumb')[2].click() || true`)
	eventually(t, ctx, now(2)+` && location.search.includes('layer=1') && location.search.includes('head=2')
		&& document.querySelectorAll('.writing-map canvas.under').length === 4`)
	var answer struct {
		Steps []struct{ Label string }
		Maps  []struct {
			Of     string
			Shape  []int
			Values []float64
		}
	}
	_, body := fetch(t, server+"/api/v1/write?text=the+cat+sat&layer=1&head=2&map=cross")
	must(t, json.Unmarshal([]byte(body), &answer))
	settled(t, ctx)
	at := ask[[]float64](t, ctx, `(() => { let b = document.querySelector('#view-encoder-decoder-cross .sheet'); b.scrollIntoView({ block: 'center' }); b = b.getBoundingClientRect(); return [b.left + 2.5 * b.width / 5, b.top + 1.5 * b.height / `+fmt.Sprint(len(answer.Steps))+`]; })()`)
	must(t, chromedp.Do(ctx, chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1])))
	eventually(t, ctx, fmt.Sprintf(`document.querySelector('#view-encoder-decoder-cross .view-read').textContent.includes(%q) && document.querySelector('#view-encoder-decoder-cross .view-read b')`, answer.Steps[1].Label+" → cat: "))
	got := ask[string](t, ctx, `document.querySelector('#view-encoder-decoder-cross .view-read').textContent + '|' + document.querySelector('#view-encoder-decoder-cross .view-read b').title`)
	var value float64
	before, title, _ := strings.Cut(got, "|")
	fmt.Sscan(title, &value)
	if want := answer.Maps[0].Values[5+2]; value != want || !strings.Contains(before, answer.Steps[1].Label+" → cat: ") {
		t.Errorf("the map reads %q, the value is %v", got, want)
	}
	ask[bool](t, ctx, `(() => { const box = document.getElementById('c-text'); box.focus(); box.setSelectionRange(11, 11); return true; })()`)
	must(t, chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#c-text"), " down")))
	eventually(t, ctx, `document.querySelectorAll('.source .token').length === 6
		&& new URL(location.href).searchParams.get('text') === 'the cat sat down'`)
	eventually(t, ctx, `document.querySelectorAll('.writing-map canvas.under').length === 4 && `+now(1))
	ask[bool](t, ctx, `history.back() || true`)
	eventually(t, ctx, `document.querySelectorAll('.source .token').length === 5
		&& document.getElementById('c-text').value === 'the cat sat'`)
}

// TestTaskOfWriting: the page offers the tasks that the model has learned. The selected task is in the address, and
// the whole page belongs to it.
func TestTaskOfWriting(t *testing.T) {
	ctx := open(t, pages(t).URL+"/m/encoder-decoder?text=the+cat+sat+on+a+mat&theme=light")
	written := `[...document.querySelectorAll('#steps a')].map((a) => a.textContent).join(' ')`
	eventually(t, ctx, written+` === 'mat a on sat cat the [SEP]' && document.documentElement.dataset.ready === 'true'`)
	ask[bool](t, ctx, `(() => { const s = document.querySelector('select[name=task]'); s.value = 'sort'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	eventually(t, ctx, written+` === 'a cat mat on sat the [SEP]' && location.search.includes('task=sort') && document.querySelector('select[name=task]').value === 'sort' &&
		document.body.textContent.includes('Write the words in sorted order') && document.body.textContent.includes('Right: these are the words of the text, sorted')`)
	links := ask[[]string](t, ctx, `[...document.querySelectorAll('#steps a, .generation-step a[href*="steps?"], a[href*="/api/v1/write"], .thumb')].map((a) => a.getAttribute('href'))`)
	for _, link := range links {
		if !strings.Contains(link, "task=sort") {
			t.Errorf("%s has lost the task", link)
		}
	}
	if len(links) < 10 {
		t.Errorf("%d links", len(links))
	}
}

// TestContinueCommand: GPT-2 continues a text as in the API, and the output warns that the text is invented.
func TestContinueCommand(t *testing.T) {
	args := []string{"write", "-m", "gpt2", "--text", "Once upon a time", "--words", "3", "--seed", "3", "--take", "2.2",
		"--top-k", "0"}
	status, out, errs := viz(t, args...)
	_, raw, _ := viz(t, append(args, "--json")...)
	_, body := fetch(t, browsertest.Server(t).URL+
		"/api/v1/continue?m=gpt2&text=Once+upon+a+time&words=3&seed=3&take=2.2&topk=0")
	if status != 0 || raw != body || !strings.Contains(out, "The model invents") ||
		!strings.Contains(raw, `"taken":true`) {
		t.Errorf("%d %s %s\n%.200s\n%.200s", status, out, errs, raw, body)
	}
	if status, _, errs := viz(t, "write", "-m", "bert", "--text", "a"); status != 1 ||
		!strings.Contains(errs, "does not predict next words") {
		t.Errorf("%d %s", status, errs)
	}
}
