package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// TestBenchLive measures how long a live figure of four mechanisms takes from a new text to its maps, without the
// pause after a letter: the engine in WebAssembly, and drawing. VIZ_BENCH_BROWSER is the number of rounds: make
// bench-browser.
func TestBenchLive(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv("VIZ_BENCH_BROWSER"))
	if err != nil {
		t.Skip("SKIPPED, NOT MEASURED: VIZ_BENCH_BROWSER, such as 5, says how many rounds (make bench-browser)")
	}
	file := filepath.Join(t.TempDir(), "wall.html")
	must(t, os.WriteFile(file, livePage(t, liveServer(t), "/export/wall.html", "live=1"), 0o600))
	ctx := tabFor(t, 20*time.Minute)
	must(t, chromedp.Do(ctx, chromedp.Navigate("file://"+filepath.ToSlash(file))))
	eventually(t, ctx, `document.documentElement.dataset.ready === 'true' && document.documentElement.dataset.shows`)
	lengths, took := []int{15, 60}, map[int][]float64{}
	for round := range 10 * (rounds + 1) {
		for _, n := range lengths {
			text := browsertest.Words(rand.New(rand.NewPCG(uint64(n), uint64(round))), n-2) // besides [CLS] and [SEP]
			ms := ask[float64](t, ctx, fmt.Sprintf(`timed.live(%q)`, text))
			if got := ask[int](t, ctx, `document.querySelector('attention-map').figure.rows.length`); got != n {
				t.Fatalf("a text of %d tokens has %d", n, got)
			}
			if round >= 10 { // the first rounds warm the compiler
				took[n] = append(took[n], ms)
			}
		}
	}
	for _, n := range lengths {
		fmt.Printf("live figure, 4 mechanisms, %2d tokens: %6.1f ms from text to maps, median of %d, least %.1f\n", n,
			median(took[n]), len(took[n]), took[n][0])
	}
}
