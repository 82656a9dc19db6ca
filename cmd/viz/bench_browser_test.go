package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// benchWalls are the measured walls.
var benchWalls = []struct{ cards, tokens int }{{4, 19}, {4, 64}, {everyCard(), 19}, {everyCard(), 64}}

// everyCard returns the number of cards on a wall of all models.
func everyCard() int { return len(browsertest.OwnModels()) }

// benchFigures are the measured quantities, in the order in which they are printed.
var benchFigures = []string{
	"first page: nodes", "key: pause, wall ms", "key: redrawn, wall ms", "key: renderer CPU ms", "key: browser CPU ms",
	"key: server CPU ms", "key: bytes sent", "key: requests",
	"hover: renderer CPU ms", "hover: of it, over nothing", "hover: forced layouts", "hover: layouts",
	"hover: styles computed", "colours: renderer CPU ms", "colours: requests",
	"norm: renderer CPU ms", "norm: server CPU ms", "norm: bytes sent", "norm: requests", "nodes",
}

// TestBenchBrowser measures the costs of walls for the browser and the server, in VIZ_BENCH_BROWSER rounds: make
// bench-browser. VIZ_BENCH_PROGRAM may name other programs, such as "before,after". Rounds of walls and programs are
// interleaved, so that other load on the machine affects all of them equally. Medians are printed. CPU times are
// those of the threads, not of the clock; a headless browser draws without a graphics card. After a key the page
// waits for another one: this is the pause, and redrawn is the time from its end.
func TestBenchBrowser(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv("VIZ_BENCH_BROWSER"))
	if err != nil {
		t.Skip("SKIPPED, NOT MEASURED: VIZ_BENCH_BROWSER, such as 5, says how many rounds (make bench-browser)")
	}
	ctx := tabFor(t, 20*time.Minute)
	var all []*benchedProgram
	for _, bin := range benchPrograms(t) {
		all = append(all, &benchedProgram{server: startSoaked(t, bin),
			measured: make([]map[string][]float64, len(benchWalls))})
	}
	for round := range rounds + 1 { // the first round warms caches
		for i, w := range benchWalls {
			for _, p := range all {
				p.add(i, round, benchWall(t, ctx, p.server, browsertest.WallAddress(w.cards, w.tokens, round)))
				if n := ask[int](t, ctx, `document.getElementById('tokens').children.length`); n != w.tokens {
					t.Fatalf("a wall of %d tokens has %d", w.tokens, n)
				}
			}
		}
	}
	for _, p := range all {
		p.server.stop(t)
		printBench(p)
	}
}

// benchPrograms returns the programs in VIZ_BENCH_PROGRAM, or this one.
func benchPrograms(t *testing.T) []string {
	t.Helper()
	if named := os.Getenv("VIZ_BENCH_PROGRAM"); named != "" {
		return strings.Split(named, ",")
	}
	bin := filepath.Join(t.TempDir(), "viz")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return []string{bin}
}

// benchedProgram is a program with the measurements of its walls.
type benchedProgram struct {
	server   *soaked
	measured []map[string][]float64
}

func (p *benchedProgram) add(wall, round int, got map[string]float64) {
	if p.measured[wall] == nil {
		p.measured[wall] = map[string][]float64{}
	}
	for key, value := range got {
		if round > 0 {
			p.measured[wall][key] = append(p.measured[wall][key], value)
		}
	}
}

// printBench prints the medians as a table.
func printBench(p *benchedProgram) {
	fmt.Printf("%-28s", filepath.Base(p.server.cmd.Path))
	for _, w := range benchWalls {
		fmt.Printf("%20s", fmt.Sprintf("%d cards, %d tokens", w.cards, w.tokens))
	}
	fmt.Println()
	for _, key := range benchFigures {
		fmt.Printf("%-28s", key)
		for _, m := range p.measured {
			fmt.Printf("%20.1f", median(m[key]))
		}
		fmt.Println()
	}
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	n := len(list)
	return (list[(n-1)/2] + list[n/2]) / 2
}

// benchWall opens a wall and uses it.
func benchWall(t *testing.T, ctx context.Context, s *soaked, path string) map[string]float64 {
	t.Helper()
	got := map[string]float64{}
	visit(t, ctx, s.page+path)
	b := &benched{t: t, ctx: ctx, server: s, got: got}
	b.rest()
	got["first page: nodes"] = ask[float64](t, ctx, `document.querySelectorAll('*').length`)
	b.key("x") // the first key includes compilation
	b.measure("key", func() { got["key: pause, wall ms"], got["key: redrawn, wall ms"] = b.key("y") })
	b.hover()
	b.measure("colours", func() { b.choose("c-cmap", "magma") })
	b.measure("norm", func() { b.choose("c-norm", "log") })
	got["nodes"] = ask[float64](t, ctx, `document.querySelectorAll('*').length`)
	return got
}

// benched is a wall under measurement.
type benched struct {
	t      *testing.T
	ctx    context.Context
	server *soaked
	got    map[string]float64
}

// rest waits until drawing has ended.
func (b *benched) rest() {
	b.t.Helper()
	ask[bool](b.t, b.ctx, `new Promise((done) => setTimeout(() => requestIdleCallback(() => done(true), { timeout: 2000 }), 150))`)
}

// measure records the cost of an action.
func (b *benched) measure(name string, act func()) {
	b.t.Helper()
	ask[bool](b.t, b.ctx, `performance.clearResourceTimings() || true`)
	renderer, browser := browserCPU(b.t, b.ctx)
	server := serverCPU(b.t, b.server)
	act()
	b.rest()
	renderer2, browser2 := browserCPU(b.t, b.ctx)
	b.got[name+": renderer CPU ms"], b.got[name+": browser CPU ms"] = renderer2-renderer, browser2-browser
	b.got[name+": server CPU ms"] = serverCPU(b.t, b.server) - server
	sent := ask[[]float64](b.t, b.ctx, `(() => { const all = performance.getEntriesByType('resource'); return [all.length, all.reduce((sum, one) => sum + one.transferSize, 0)]; })()`)
	b.got[name+": requests"], b.got[name+": bytes sent"] = sent[0], sent[1]
}

// key replaces the last letter. It returns how long the page waited for another letter, and then took until it was
// drawn, in ms.
func (b *benched) key(letter string) (pause, redrawn float64) {
	b.t.Helper()
	ask[bool](b.t, b.ctx, `timed.key()`)
	must(b.t, chromedp.Do(b.ctx, chromedp.KeyEvent(letter)))
	took := ask[[]float64](b.t, b.ctx, `window.redrawn`)
	return took[0], took[1]
}

// choose selects an option of a control.
func (b *benched) choose(id, value string) {
	b.t.Helper()
	ask[bool](b.t, b.ctx, fmt.Sprintf(`set(%q, %q, 'change') && answered()`, id, value))
}

// hover moves the mouse over the first map, first to count layouts, then to measure time.
func (b *benched) hover() {
	b.t.Helper()
	const steps = 40
	must(b.t, chromedp.Do(b.ctx, chromedp.MouseEvent(chromedp.MouseMoved, 5, 5)))
	box := ask[[]float64](b.t, b.ctx, `(() => { window.scrollTo(0, 0); const r = document.querySelector('.map').getBoundingClientRect(); return [r.left, r.top, r.width, Math.min(r.height, innerHeight - r.top - 130)]; })()`)
	nothing := []float64{2, 2, 3, 3} // a corner of the page: the cost of moving and asking alone
	at := nothing
	move := func(from, to int) {
		for i := from; i < to; i++ {
			part := (float64(i%steps) + 0.5) / steps
			must(b.t, chromedp.Do(b.ctx, chromedp.MouseEvent(chromedp.MouseMoved, at[0]+part*at[2], at[1]+part*at[3])))
			ask[bool](b.t, b.ctx, `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true))))`)
		}
	}
	cost := func() float64 {
		move(0, 5)
		b.rest()
		before, _ := browserCPU(b.t, b.ctx)
		move(5, steps)
		after, _ := browserCPU(b.t, b.ctx)
		return (after - before) / (steps - 5)
	}
	b.got["hover: of it, over nothing"] = cost()
	at = box
	b.got["hover: renderer CPU ms"] = cost()
	forced, all, styled := browsertest.Layouts(browsertest.In(b.ctx, b.t), func() { move(5, steps) })
	b.got["hover: forced layouts"], b.got["hover: layouts"], b.got["hover: styles computed"] = forced/(steps-5),
		all/(steps-5), styled/(steps-5)
	must(b.t, chromedp.Do(b.ctx, chromedp.MouseEvent(chromedp.MouseMoved, 5, 5)))
}
