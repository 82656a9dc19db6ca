package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"
)

// lesson is a page of another origin with the atlas in a frame that is as high as it says, and a call for it.
const lesson = `<!DOCTYPE html><meta charset="utf-8"><h1>A lesson</h1><iframe id="atlas" src="%s/embed?%s" width="900" height="200" onload="framed = true"></iframe>
<script>
const frame = document.getElementById('atlas'), waiting = new Map(), heard = [], heights = [];
addEventListener('message', ({ source, origin, data }) => {
	if (source !== frame.contentWindow || origin !== '%[1]s' || !data.attentionAtlas) return;
	if (data.event === 'height') { heights.push(data.data); frame.height = data.data; }
	else if (data.event) heard.push(data);
	else waiting.get(data.id)(data);
});
const call = (name, more) => new Promise((done) => {
	const id = waiting.size;
	waiting.set(id, done);
	frame.contentWindow.postMessage({ attentionAtlas: 1, id, call: name, ...more }, '%[1]s');
});
</script>`

// lecture opens a page with a frame, on a server of another origin.
func lecture(t *testing.T, page string) context.Context {
	t.Helper()
	ctx := tab(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(server.Close)
	must(t, chromedp.Do(ctx, chromedp.Navigate(strings.Replace(server.URL, "127.0.0.1", "localhost", 1)+"/lesson")))
	return ctx
}

// TestFrameIsDrivenFromElsewhere: the page around a frame reads and sets its state, hears of changes, pins and
// answers, and is told what is possible when it asks for what is not.
func TestFrameIsDrivenFromElsewhere(t *testing.T) {
	ctx := lecture(t, fmt.Sprintf(lesson, pages(t).URL, "text=the+old+cat&m=dense"))
	eventually(t, ctx, `heights.length && frame.height > 250`)
	if got := ask[string](t, ctx, `call('getState').then(({ result }) => [result.text, result.m].join('/'))`); got != "the old cat/dense" {
		t.Errorf("the state is %q", got)
	}
	for _, event := range []string{"change", "pin", "answer"} {
		if got := ask[string](t, ctx, `call('on', { event: '`+event+`' }).then(({ result, error }) => result ?? error)`); got != event {
			t.Errorf("listening for %s: %q", event, got)
		}
	}
	if got := ask[string](t, ctx, `call('setState', { state: { text: 'a red bird sings', m: ['dense', 'random'], pin: '3.2', layer: 2 } }).then(({ result, error }) => error ?? JSON.stringify(result))`); got != `{"text":"a red bird sings","m":"dense,random","layer":"2","pin":"3.2"}` {
		t.Errorf("after setState: %s", got)
	}
	eventually(t, ctx, `heard.some(({ event, data }) => event === 'change' && data.layer === '2')`)
	eventually(t, ctx, `heard.some(({ event, data }) => event === 'pin' && data.row === 3 && data.col === 2 && data.words.join() === 'red,a')`)
	eventually(t, ctx, `heard.some(({ event, data }) => event === 'answer' && data.words.includes('bird') && data.problem === '')`)
	if got := ask[string](t, ctx, `call('setState', { state: { pin: null } }).then(({ result }) => String(result.pin))`); got != "undefined" {
		t.Errorf("the pin is still %s", got)
	}
	eventually(t, ctx, `heard.some(({ event, data }) => event === 'pin' && data === null)`)
	if got := ask[float64](t, ctx, `history.length`); got > 3 {
		t.Errorf("the frame has made %v steps of the history", got)
	}
	for message, says := range map[string]string{
		`'setState', { state: 'dense' }`:                  `setState takes an object with parameters`,
		`'setState', { state: { texts: 'a' } }`:           `No parameter named texts. Available: text, m,`,
		`'setState', { state: { text: { a: 1 } } }`:       `The parameter text takes a text`,
		`'setState', { state: { norm: 'loud' } }`:         `absolute`,
		`'setState', { state: { example: 'agreement' } }`: `No parameter named example`,
		`'getstate'`:                `No call named getstate. Available: getState, setState, on, off.`,
		`'constructor'`:             `No call named constructor`,
		`'on', { event: 'pinned' }`: `No event named pinned. Available: change, pin, answer.`,
	} {
		if got := ask[string](t, ctx, `call(`+message+`).then(({ error, result }) => error ?? JSON.stringify(result))`); !strings.Contains(got, says) {
			t.Errorf("%s: %q", message, got)
		}
	}
	// a height that would follow the frame's own would never come to rest
	still := `(async () => { const n = heights.length; await new Promise((done) => setTimeout(done, 500)); return heights.length === n; })()`
	if !comes(func() bool { return ask[bool](t, ctx, still) }) {
		t.Errorf("the height does not come to rest: %v", ask[[]float64](t, ctx, `heights`))
	}
}

// TestNothingElseIsFramed: the browser says that it refused to show another page in a frame of another origin. A page that it did show
// would say how high it is.
func TestNothingElseIsFramed(t *testing.T) {
	ctx := lecture(t, fmt.Sprintf(strings.Replace(lesson, "/embed?%s", "/?%s", 1), pages(t).URL, "text=the+old+cat&m=dense"))
	refused := make(chan string, 99)
	must(t, chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*log.EventEntryAdded); ok && strings.Contains(e.Entry.Text, "frame-ancestors 'none'") {
			refused <- e.Entry.Text
		}
	}))
	_, err := chromedp.Call(ctx, log.Enable, cdp.Empty{})
	must(t, err)
	ask[bool](t, ctx, `(frame.src += '&layer=2', true)`) // now it is listened to
	if !comes(func() bool { return len(refused) > 0 || ask[bool](t, ctx, `heights.length > 0`) }) || len(refused) == 0 {
		t.Fatal("the browser does not refuse to show the wall in a frame")
	}
	if says := <-refused; !strings.Contains(says, pages(t).URL) {
		t.Errorf("it refuses another page: %s", says)
	}
}
