//go:build unix

package engine_test

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/method"
)

// BenchmarkInfluence measures the influence of layer 1 at 64 tokens, for every bundled model that has it. "cpu-ms" is
// processor time, which other jobs disturb less than clock time; with -cpu 1 it is that of one core. "error-%" is the
// standard error of an estimate.
func BenchmarkInfluence(b *testing.B) {
	e := engine.New()
	text := textOf(e, 64)
	for _, id := range slices.Concat(engine.IDs(), engine.StackIDs()) {
		if id == "encoder-decoder" {
			continue
		}
		b.Run(id, func(b *testing.B) {
			ask := func(layer int) engine.Result {
				rep, err := e.Inspect(b.Context(), engine.Request{Text: text, Mechanisms: []string{id},
					Method: method.Measurement{Name: method.Influence, Layer: layer}})
				if err != nil || rep.Mechanisms[0].Err != nil {
					b.Fatal(err, rep.Mechanisms[0].Err)
				}
				return rep.Mechanisms[0]
			}
			ask(0) // opens the model
			began, wrong := processorTime(), 0.0
			for b.Loop() {
				wrong = ask(1).Estimate.Error
			}
			b.ReportMetric((processorTime()-began).Seconds()*1000/float64(b.N), "cpu-ms")
			b.ReportMetric(wrong*100, "error-%")
		})
	}
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// textOf returns a text of this many tokens.
func textOf(e *engine.Engine, tokens int) string {
	text := strings.Repeat("the cat sat on the mat because it was tired ", tokens)
	list, _ := e.Vocabulary().EncodePair(text)
	return text[:list[tokens-2].End]
}
