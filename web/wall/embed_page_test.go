package wall_test

import (
	"bytes"
	_ "embed"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// lesson is a page of another origin with the Atlas in a frame that takes the reported height, and a function to
// call it.
//
//go:embed testdata/lesson.html
var lesson string

// lecture opens a page with a frame, on a server of another origin.
func lecture(t *testing.T, page string) *browsertest.Tab {
	t.Helper()
	tab := browsertest.Open(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(server.Close)
	tab.Do(chromedp.Navigate(strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + "/lesson"))
	return tab
}

// TestFrameIsDrivenFromElsewhere: the page around a frame reads and sets its state, and receives changes, pins and
// results. An impossible request is answered with what is possible.
func TestFrameIsDrivenFromElsewhere(t *testing.T) {
	tab := lecture(t, fmt.Sprintf(lesson, browsertest.Server(t).URL, "text=the+old+cat&m=dense"))
	tab.Eventually(`heights.length && frame.height > 250`)
	if got := browsertest.Ask[string](tab, `call('getState').then(({ result }) => [result.text, result.m].join('/'))`); got != "the old cat/dense" {
		t.Errorf("the state is %q", got)
	}
	for _, event := range []string{"change", "pin", "answer"} {
		if got := browsertest.Ask[string](tab, `call('on', { event: '`+event+
			`' }).then(({ result, error }) => result ?? error)`); got != event {
			t.Errorf("listening for %s: %q", event, got)
		}
	}
	if got := browsertest.Ask[string](tab, `call('setState', { state: { text: 'a red bird sings', m: ['dense', 'random'], pin: '3.2', layer: 2 } }).then(({ result, error }) => error ?? JSON.stringify(result))`); got != `{"text":"a red bird sings","m":"dense,random","layer":"2","pin":"3.2"}` {
		t.Errorf("after setState: %s", got)
	}
	tab.Eventually(`heard.some(({ event, data }) => event === 'change' && data.layer === '2')`)
	tab.Eventually(`heard.some(({ event, data }) => event === 'pin' && data.row === 3 && data.col === 2
		&& data.words.join() === 'red,a')`)
	tab.Eventually(`heard.some(({ event, data }) => event === 'answer' && data.words.includes('bird')
		&& data.problem === '')`)
	if got := browsertest.Ask[string](tab, `call('setState', { state: { pin: null } }).then(({ result }) => String(result.pin))`); got != "undefined" {
		t.Errorf("the pin is still %s", got)
	}
	tab.Eventually(`heard.some(({ event, data }) => event === 'pin' && data === null)`)
	if got := browsertest.Ask[float64](tab, `history.length`); got > 3 {
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
		if got := browsertest.Ask[string](tab, `call(`+message+
			`).then(({ error, result }) => error ?? JSON.stringify(result))`); !strings.Contains(got, says) {
			t.Errorf("%s: %q", message, got)
		}
	}
	// a height that depended on the frame's own height would never settle
	still := `(async () => { const n = heights.length; await new Promise((done) => setTimeout(done, 500)); return heights.length === n; })()`
	if !browsertest.Comes(func() bool { return browsertest.Ask[bool](tab, still) }) {
		t.Errorf("the height does not come to rest: %v", browsertest.Ask[[]float64](tab, `heights`))
	}
}

// TestNothingElseIsFramed: the browser refuses to show another page in a frame of another origin. A page that it
// did show would report its height.
func TestNothingElseIsFramed(t *testing.T) {
	tab := lecture(t, fmt.Sprintf(strings.Replace(lesson, "/embed?%s", "/?%s", 1), browsertest.Server(t).URL,
		"text=the+old+cat&m=dense"))
	refused := make(chan string, 99)
	browsertest.Must(t, chromedp.Listen(tab, func(event any) {
		if e, ok := event.(*log.EventEntryAdded); ok && strings.Contains(e.Entry.Text, "frame-ancestors 'none'") {
			refused <- e.Entry.Text
		}
	}))
	_, err := chromedp.Call(tab, log.Enable, cdp.Empty{})
	browsertest.Must(t, err)
	browsertest.Ask[bool](tab, `(frame.src += '&layer=2', true)`) // the page now listens to it
	if !browsertest.Comes(func() bool { return len(refused) > 0 || browsertest.Ask[bool](tab, `heights.length > 0`) }) ||
		len(refused) == 0 {
		t.Fatal("the browser does not refuse to show the wall in a frame")
	}
	if says := <-refused; !strings.Contains(says, browsertest.Server(t).URL) {
		t.Errorf("it refuses another page: %s", says)
	}
}

// TestConnect: connect of the module drives a frame with promises.
func TestConnect(t *testing.T) {
	for _, sandbox := range []string{"", `sandbox="allow-scripts"`} {
		t.Run(sandbox, func(t *testing.T) { connect(t, sandbox) })
	}
}

// connected is a page that connects to a frame as its author does.
//
//go:embed testdata/connect.html
var connected string

func connect(t *testing.T, sandbox string) {
	atlas := browsertest.Server(t).URL
	tab := lecture(t, fmt.Sprintf(connected, atlas, sandbox))
	tab.Eventually(`window.before?.m === 'dense' && window.after?.m === 'random' && window.pinned?.col === 3
		&& window.refused?.includes('No parameter named nothing') && document.getElementById('atlas').clientHeight > 250`)
}

// hosts lists frames as hosts write them, and whether their scripts run.
var hosts = []struct {
	name, frame string
	scripts     bool
}{
	{"a page", ``, true},
	{"a platform that trusts us", `sandbox="allow-scripts allow-same-origin"`, true},
	{"a platform with a sandbox", `sandbox="allow-scripts"`, true},
	{"WordPress", `class="wp-embedded-content" sandbox="allow-scripts" security="restricted" data-secret="h7TzqK0aBx"`, true},
	{"a page without scripts", `sandbox`, false},
}

// blog is a page with a frame as a host writes it. It stores the messages of the frame.
//
//go:embed testdata/blog.html
var blog string

// painted counts the pixels of a tab that have the dark blue of the default colours, which only maps have.
func painted(t *testing.T, tab *browsertest.Tab) (n int) {
	t.Helper()
	shot, err := chromedp.Call(tab, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{})
	browsertest.Must(t, err)
	img, err := png.Decode(bytes.NewReader(shot.Data))
	browsertest.Must(t, err)
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, g, b, _ := img.At(x, y).RGBA(); r>>8 < 24 && g>>8 > 20 && g>>8 < 70 && b>>8 > 60 {
				n++
			}
		}
	}
	return n
}

// TestFramesOfHosts: in the frames of all hosts, the requested map is drawn. If scripts run, also in a sandbox,
// the frame answers calls and tells WordPress its height.
func TestFramesOfHosts(t *testing.T) {
	for _, host := range hosts {
		t.Run(host.name, func(t *testing.T) {
			secret := ""
			if host.name == "WordPress" {
				secret = "#?secret=h7TzqK0aBx"
			}
			tab := lecture(t, fmt.Sprintf(blog, host.frame, browsertest.Server(t).URL, secret))
			if !browsertest.Comes(func() bool { return painted(t, tab) > 4000 }) {
				t.Fatalf("only %d pixels have a colour of maps", painted(t, tab))
			}
			if !host.scripts {
				return
			}
			asks := func(text, m string) {
				t.Helper()
				if !browsertest.Comes(func() bool {
					return browsertest.Ask[bool](tab, `tell('getState') && shows('`+text+`', '`+
						m+`')`)
				}) {
					t.Fatalf("the frame does not show %s of %s: %s", m, text, browsertest.Ask[string](tab, `JSON.stringify(said)`))
				}
			}
			asks("the old cat", "dense")
			browsertest.Ask[bool](tab, `tell('setState', { text: 'a blue whale', m: ['random'] })`)
			asks("a blue whale", "random")
			if !browsertest.Comes(func() bool { return painted(t, tab) > 4000 }) {
				t.Error("the other map is not drawn")
			}
			if secret != "" {
				tab.Eventually(`said.some((one) => one.message === 'height' && one.value > 250 && one.secret === 'h7TzqK0aBx')`)
			}
		})
	}
}

// TestFrameOnASlide: a frame on a slide shows one card in its middle, with the whole legend.
func TestFrameOnASlide(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Sized(960, 640, "/embed?text=The+cat+sat+on+the+mat.&m=dense&present=1")
	tab.Eventually(`(() => {
		const card = document.querySelector('.card').getBoundingClientRect(), legend = document.querySelector('.legend').getBoundingClientRect();
		return legend.height > 0 && legend.bottom <= innerHeight && Math.abs(card.left + card.right - innerWidth) < 40;
	})()`)
}
