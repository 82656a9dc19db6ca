package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"attnatlas/engine/train"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// terminal reports whether a writer is a terminal.
func terminal(w io.Writer) bool {
	if e, ok := w.(*ending); ok {
		w = e.to
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// barOf shows a progress bar on a terminal, and nothing elsewhere.
func barOf(w io.Writer, all int, more ...progressbar.Option) *progressbar.ProgressBar {
	if !terminal(w) {
		return progressbar.DefaultSilent(int64(all))
	}
	return progressbar.NewOptions(all, append(more, progressbar.OptionSetWriter(w), progressbar.OptionFullWidth(),
		progressbar.OptionClearOnFinish())...)
}

// showNext shows the name of the next item.
func showNext(bar *progressbar.ProgressBar, name string) {
	bar.Describe(fmt.Sprintf("%-32s", name))
	_ = bar.Add(1) // an error concerns only the display
}

// progress shows several trainings at once: as a bar on a terminal, and elsewhere as a line now and then.
type progress struct {
	mu   sync.Mutex
	w    io.Writer
	bar  *progressbar.ProgressBar // nil when not on a terminal
	loss map[string]float64       // smoothed, of masked words
	last map[string]time.Time
}

const lineEvery = 30 * time.Second

func newProgress(w io.Writer, steps int) *progress {
	p := &progress{w: w, loss: map[string]float64{}, last: map[string]time.Time{}}
	if terminal(w) {
		p.bar = progressbar.NewOptions(steps, progressbar.OptionSetWriter(w), progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(say("train.rate")), progressbar.OptionSetPredictTime(true),
			progressbar.OptionFullWidth())
	}
	return p
}

func (p *progress) step(s train.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.Task == "" { // steps of an earlier session
		if p.bar != nil && s.Step > 0 {
			p.bar.Add(s.Step)
		}
		return
	}
	if s.Task == "words" {
		if old, ok := p.loss[s.ID]; ok {
			p.loss[s.ID] = 0.98*old + 0.02*s.Loss
		} else {
			p.loss[s.ID] = s.Loss
		}
	}
	loss := fmt.Sprintf("%.3f", p.loss[s.ID])
	if p.bar != nil {
		p.bar.Describe(say("train.bar", "model", s.ID, "loss", loss))
		p.bar.Add(1)
		return
	}
	if now := time.Now(); now.Sub(p.last[s.ID]) >= lineEvery || s.Step == s.Steps {
		p.last[s.ID] = now
		fmt.Fprintf(p.w, "%-20s %s\n", s.ID, say("train.step", "step", fmt.Sprintf("%5d", s.Step), "steps", s.Steps,
			"loss", loss, "rate", fmt.Sprintf("%.0f", float64(s.Tokens)/s.Seconds)))
	}
}

func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		fmt.Fprintln(p.w)
	}
}
