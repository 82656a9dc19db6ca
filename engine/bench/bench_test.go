package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/tensor"
)

// tiny returns options for a quick measurement. No test checks durations.
func tiny() Options {
	o := Quick()
	o.Rounds, o.Sample, o.Version, o.Commit = 2, 50*time.Microsecond, "v1", "abc"
	o.Sizes = Sizes{
		Width: 16, Heads: 4, Products: []Product{{8, 4, 8, 1, false}, {4, 8, 4, 3, false}, {4, 4, 4, 1, true}},
		Forward: []int{4, 8}, Long: []int{8, 16, 32}, Walls: []int{6}, Pictures: []int{5},
		Training: TrainingSetup{Mechanisms: engine.IDs()[:2], Layers: 1, Inner: 16, Vocab: 50, Batch: 4, Length: 8},
	}
	return o
}

// names returns the names of all figures of tiny, without peak/fma.
func names() []string {
	list := []string{"gemm/8x4x8", "gemm/4x8x4*3", "gemm/4x4x4/packed"}
	for _, id := range engine.IDs() {
		for _, f := range []string{"4", "4/watched", "8", "8/watched", "16", "32", "growth"} {
			list = append(list, "forward/"+id+"/"+f)
		}
	}
	for i, id := range engine.IDs()[:2] {
		list = append(list, "train/"+id+"/all", "train/"+id+"/masked")
		if i == 0 && runtime.NumCPU() > 1 {
			list = append(list, "train/"+id+"/all/2-threads", "train/"+id+"/masked/2-threads")
		}
		if i == 0 {
			list = append(list, "train/"+id+"/all/adamw", "train/"+id+"/masked/adamw")
		}
	}
	list = append(list, "wall/6", "first-wall/6")
	if runtime.NumCPU() > 1 {
		list = append(list, "wall/6/2-threads", "first-wall/6/2-threads")
	}
	return append(list, "png/5")
}

func run(t *testing.T, o Options) *Document {
	t.Helper()
	d, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestEveryFigure(t *testing.T) {
	o, processors := tiny(), runtime.GOMAXPROCS(0)
	told := 0
	o.Progress = func(p SampleProgress) {
		if p.Done != told || p.Done >= p.Total || p.Name == "" {
			t.Errorf("after %d samples: %+v", told, p)
		}
		told++
	}
	d := run(t, o)
	var got []string
	for _, f := range d.Figures {
		if f.Name != peakName {
			got = append(got, f.Name)
		}
		check(t, f)
	}
	if want := names(); !reflect.DeepEqual(got, want) {
		t.Errorf("figures\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if runtime.GOMAXPROCS(0) != processors || d.Processors != processors {
		t.Errorf("%d processors became %d; the document says %d", processors, runtime.GOMAXPROCS(0), d.Processors)
	}
	if d.Go == "" || d.CPU == "" || d.Instructions == "" || d.Version != "v1" || d.Commit != "abc" || len(d.Notes) == 0 {
		t.Errorf("%+v", d)
	}
	roundTrip(t, d)
}

// check reports figures with impossible values.
func check(t *testing.T, f Quantity) {
	t.Helper()
	if f.Rounds < 1 || f.Operations < 1 || f.Threads < 1 || f.Unit == "" || f.Clock == "" ||
		!(f.Min <= f.Median && f.Median <= f.Max) {
		t.Errorf("%+v", f)
	}
	if f.Unit == Exponent {
		if math.IsNaN(f.Median) || f.Claimed < 1 {
			t.Errorf("%+v", f)
		}
	} else if !(f.Min > 0 && f.Wall > 0 && f.Bytes >= 0 && f.Allocations >= 0) || math.IsInf(f.Max, 0) {
		t.Errorf("%+v", f)
	}
	if product := strings.HasPrefix(f.Name, "gemm/"); product && tensor.PeakFMA(1) > 0 && f.Share <= 0 {
		t.Errorf("no share of the peak: %+v", f)
	}
}

func roundTrip(t *testing.T, d *Document) {
	t.Helper()
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&b)
	if err != nil || !reflect.DeepEqual(d, again) {
		t.Fatalf("%v: wrote %+v, read %+v", err, d, again)
	}
}

func TestOnlyTakesAlongWhatIsNeeded(t *testing.T) {
	o := tiny()
	for only, want := range map[string]string{
		"^png":          "png/5",
		"/dense/growth": "forward/dense/8 forward/dense/16 forward/dense/32 forward/dense/growth",
		"packed":        strings.TrimSpace(map[bool]string{true: peakName}[tensor.PeakFMA(1) > 0] + " gemm/4x4x4/packed"),
		"nothing":       "",
	} {
		o.Only = regexp.MustCompile(only)
		var got []string
		for _, f := range run(t, o).Figures {
			got = append(got, f.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, wanted %s", only, got, want)
		}
	}
}

func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, tiny()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestGrowthUsesWholeRounds: a long pass is sampled in fewer rounds.
func TestGrowthUsesWholeRounds(t *testing.T) {
	square := func(seconds float64) sample { return sample{cpu: seconds, wall: seconds} }
	g := growth{mechanism: "m", claimed: 2, lengths: []int{10, 100}, points: []*task{
		{threads: 1, samples: []sample{square(1), square(1), square(1000)}},
		{threads: 1, samples: []sample{square(100), square(1000)}},
	}}
	f := g.figure()
	if f.Name != "forward/m/growth" || f.Rounds != 2 || math.Abs(f.Min-2) > 1e-9 || math.Abs(f.Max-3) > 1e-9 ||
		math.Abs(f.Median-2.5) > 1e-9 {
		t.Errorf("%+v", f)
	}
}

// TestLargeParametersAreLeftOut: a note states it, and no memory is used.
func TestLargeParametersAreLeftOut(t *testing.T) {
	o := tiny()
	o.Long = append(o.Long, 1<<20)
	p, err := newPlan(o)
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(p.notes, "\n")
	for _, g := range p.growths {
		whole := len(g.lengths) == len(o.Long)
		if whole == strings.Contains(notes, g.mechanism+" is measured only below N = 1048576") {
			t.Errorf("%s at %v; notes:\n%s", g.mechanism, g.lengths, notes)
		}
		if len(g.lengths) != len(g.points) || len(g.lengths) < 3 {
			t.Errorf("%s: %v", g.mechanism, g.lengths)
		}
	}
	if !strings.Contains(notes, "GiB") {
		t.Errorf("no mechanism is too large for a million positions:\n%s", notes)
	}
}

func TestCompare(t *testing.T) {
	document := func(ms, rate float64) *Document {
		return &Document{Format: format, CPU: "x", Commit: fmt.Sprint(ms), Figures: []Quantity{
			{Name: "png/5", Unit: Milliseconds, Clock: CPU, Median: ms, Min: ms, Max: ms},
			{Name: "train/a/all", Unit: TokenRate, Clock: CPU, Median: rate, Min: rate, Max: rate},
			{Name: "only/" + fmt.Sprint(ms), Unit: Milliseconds, Clock: CPU, Median: 1},
		}}
	}
	d := document(4, 300)
	d.Compare(document(2, 100))
	if a, b := d.Figures[0].Before, d.Figures[1].Before; a == nil || b == nil || a.Gain != 0.5 || b.Gain != 3 ||
		d.Figures[2].Before != nil {
		t.Errorf("%+v", d.Figures)
	}
	roundTrip(t, d)
	var b strings.Builder
	if err := d.Print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"was 2.000, gain 0.50×", "was 100.0, gain 3.00×", "compared with commit 2"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestReadRefuses(t *testing.T) {
	other, err := json.Marshal(Document{Format: format + 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "rubbish", "{}", string(other)} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.012344: "0.01234", 1.5: "1.500", 123.456: "123.5", 16384.4: "16384",
		0.0000123: "0.00001"} {
		if got := digits(x); got != want {
			t.Errorf("%v is written %s, not %s", x, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0 B", 999: "999 B", 1500: "1.5 kB", 2e6: "2.0 MB", 5e12: "5000.0 GB"} {
		if got := size(x); got != want {
			t.Errorf("%v bytes are written %s, not %s", x, got, want)
		}
	}
}
