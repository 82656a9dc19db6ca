package mechanism_test

import (
	"encoding/binary"
	"encoding/json"
	"image/png"
	"math"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine/recording"
	"attnatlas/web/api"
	"attnatlas/web/browsertest"
	"attnatlas/web/mechanism"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestWatchItLearnToWrite: the recording of the bundled encoder–decoder, on its page, as JSON and as an animation.
// The cross-attention learns to attend to the next word to write, in reverse and sorted.
func TestWatchItLearnToWrite(t *testing.T) {
	get := func(path string) (int, string) {
		return browsertest.Fetch(t, browsertest.Server(t).URL+path)
	}
	for task, order := range map[string][]int{"reverse": {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1},
		"sort": {11, 7, 2, 8, 6, 4, 3, 1, 5, 10, 9}} {
		_, body := get("/api/v1/training?m=encoder-decoder&task=" + task)
		var answer mechanism.Training
		browsertest.Must(t, json.Unmarshal([]byte(body), &answer))
		first, last := answer.Frames[0], answer.Frames[len(answer.Frames)-1]
		if answer.Task != task || len(answer.Frames) != 40 || first.Step != 0 || last.Step != answer.Steps ||
			last.Loss > first.Loss/10 || first.Written.Right || !last.Written.Right {
			t.Errorf("%s: steps %d to %d, losses %g to %g, written %v and %v", task, first.Step, last.Step, first.Loss,
				last.Loss, first.Written, last.Written)
		}
		found := func(f mechanism.TrainingFrame) (right int) {
			m := f.Mechanisms[0].Maps[0]
			for row, column := range order {
				if most(m, row) == column {
					right++
				}
			}
			return right
		}
		if found(first) > 4 || found(last) < 9 {
			t.Errorf("%s: %d of %d words are read when they are to be written, %d before", task, found(last), len(order),
				found(first))
		}
		_, page := get("/m/encoder-decoder?task=" + task)
		if n := strings.Count(page, `class="training-wrote"`); n != 8 || strings.Count(page, "after=") < n ||
			strings.Count(page, `"training-canvas"`) != 2 {
			t.Errorf("%s: the page has %d frames", task, n)
		}
		status, animation := get("/export/encoder-decoder.apng?task=" + task)
		if _, err := png.Decode(strings.NewReader(animation)); err != nil || status != http.StatusOK ||
			strings.Count(animation, "fcTL") != 40 {
			t.Errorf("%s: %d %v", task, status, err)
		}
	}
	of := "text=" + url.QueryEscape(recording.Texts("encoder-decoder")[0])
	for path, want := range map[string]int{
		"/export/encoder-decoder.png?after=20000&map=decoder&" + of: 200,
		"/export/encoder-decoder.png?after=20000&map=encoder&" + of: 404,
		"/export/encoder-decoder.png?after=20000&map=scores&" + of:  404,
		"/export/encoder-decoder.png?after=20001&" + of:             404,
		"/api/v1/training?m=encoder-decoder&task=shout":             400,
		"/api/v1/training?m=encoder-decoder&text=another":           404,
	} {
		if status, body := get(path); status != want {
			t.Errorf("%s: %d %s", path, status, body[:min(len(body), 300)])
		}
	}
}

// most returns the column of a row's largest value.
func most(m api.DrawingMap, row int) (at int) {
	value := func(column int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32(m.Planes[0].Values[4*(row*m.Cols+column):]))
	}
	for column := range m.Cols {
		if value(column) > value(at) {
			at = column
		}
	}
	return at
}

// TestScrubThroughWriting: on the page of the encoder–decoder, frames follow keys one by one, also after a change of
// the task. The page shows the written text, and the words of a cell are those of its axes.
func TestScrubThroughWriting(t *testing.T) {
	tab := browsertest.Open(t)
	tab.Visit(browsertest.Server(t).URL + "/m/encoder-decoder")
	tab.Do(chromedp.ScrollIntoView(chromedp.CSS("#training")))
	said := `document.querySelector('.training-now').textContent.replace(/\s/g, '')`
	wrote := `[...document.querySelectorAll('.training-written .token')].map((one) => one.textContent).join(' ')`
	wrong := `document.querySelectorAll('.training-written .wrong').length`
	tab.Eventually(said + `.startsWith('after20000trainingsteps') && ` + wrote +
		` === '. tired was it because mat the on sat cat the [SEP]' && ` + wrong +
		` === 0 && document.querySelectorAll('.training-maps canvas').length === 2`)
	tab.Do(chromedp.Click(chromedp.CSS(`#training a[href*="task=sort"]`)))
	tab.Eventually(said + `.startsWith('after20000trainingsteps') && ` + wrote +
		` === '. because cat it mat on sat the the tired was [SEP]'`)
	beside := func(place string) string {
		return `[...document.querySelectorAll('[data-map="cross"] > .training-` + place +
			` bdi')].map((one) => one.textContent).join(' ')`
	}
	tab.Eventually(beside("rows") + ` === ` + wrote + ` && ` + beside("columns") +
		` === '[CLS] The cat sat on the mat because it was tired . [SEP]'`)
	tab.Do(chromedp.Focus(chromedp.CSS(".training-scrub")), chromedp.KeyEvent(kb.ArrowLeft))
	tab.Eventually(said + `.startsWith('after16578trainingsteps')`)
	tab.Do(chromedp.Click(chromedp.CSS(".training-back")))
	tab.Eventually(said + `.startsWith('after13742trainingsteps')`)
	browsertest.Ask[bool](tab, `training.point('.training-maps [data-map="cross"] canvas', 1, 7, 12, 13)`)
	tab.Eventually(said + `.includes('becauseattendstobecause:')`)
	browsertest.Ask[bool](tab, `training.slide(0)`)
	tab.Eventually(said + `.startsWith('after0trainingsteps') && ` + wrong + ` === 25`)
	tab.Fits("the player of the encoder–decoder")
}
