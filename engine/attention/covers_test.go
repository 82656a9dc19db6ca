package attention_test

import (
	"fmt"
	"strings"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// gaps reports whether a word is missing in some row of a run's maps, or whether there are fewer
// slots than words.
func gaps(run *trace.Run, n int) bool {
	read, patterns, few := make([]bool, n*n), 0, false
	for _, m := range run.Steps {
		last := m.Axes[len(m.Axes)-1]
		if _, ok := m.Has(trace.Query); !ok || len(m.Axes) < 2 {
			continue
		}
		switch {
		case last.Role == trace.Slot && m.Name == "weights":
			few = few || m.Value.Dim(-1) < n
		case last.Role == trace.Key && m.Reach != nil:
			patterns++
			for i := range read {
				read[i] = read[i] || m.Reach(i/n, i%n)
			}
		}
	}
	for _, one := range read {
		few = few || patterns > 0 && !one
	}
	return few
}

// TestCovers: for all options and lengths, a mechanism says that it leaves nothing out of a text
// exactly if its maps leave nothing out. Mechanisms without a pattern say nothing. If Reformer
// sorts words, they can all meet by chance.
func TestCovers(t *testing.T) {
	const longest = 40
	for _, e := range attention.Catalog {
		for name, c := range variants(e, attention.Config{Width: 12, Heads: 3, Length: longest}) {
			t.Run(name, func(t *testing.T) {
				gap := func(n int) bool {
					s := newSubject(t, e, c, 1, n)
					_, run := s.run(nn.Mask{}, s.x, true)
					return gaps(run, n)
				}
				hashes := e.ID == "reformer" && c.Options["attention"] != "local"
				for _, n := range []int{1, 2, 4, 5, 8, 9, 17, 28, 29, longest} {
					said, left := e.Complete(c, n, longest).String(), gap(n)
					switch {
					case e.Covers == nil && (left || said != ""), left && said != "", e.Covers != nil && !left &&
						said == "" && !hashes:
						t.Errorf("of %d tokens some are left out: %v; it says %q", n, left, said)
					}
					from := 0
					if _, number, ok := strings.Cut(said, "From "); ok {
						if _, err := fmt.Sscan(number, &from); err != nil {
							t.Error(err)
						}
						if gap(from-1) || !gap(from) && !hashes {
							t.Errorf("with %d tokens nothing changes", from)
						}
					} else if said != "" && gap(longest) {
						t.Errorf("of %d tokens some are left out; it says %q", longest, said)
					}
				}
			})
		}
	}
}

// TestCoversFigures: the sentence contains the numbers of the chosen options, not of the defaults.
func TestCoversFigures(t *testing.T) {
	c := attention.Config{Width: 12, Heads: 3, Length: 256}
	for id, want := range map[string]string{
		"bigbird":       "19 tokens are too few for blocks of 4 with 1 random blocks … From 29 tokens on",
		"linformer":     "12 tokens … With 16 slots for 12 tokens …  From 17 tokens on",
		"longformer":    "8 tokens fit into the window of 16 … From 11 tokens on",
		"poolingformer": "16 tokens fit into the wider window of 32 … near window of 8 … From 18 tokens on",
		"reformer":      "8 tokens fit into one chunk of 8 … From 9 tokens on",
	} {
		e, _ := attention.Find(id)
		var n int
		if _, err := fmt.Sscan(want, &n); err != nil {
			t.Fatal(err)
		}
		said := e.Complete(c, n, 512).String()
		for part := range strings.SplitSeq(want, " … ") {
			if !strings.Contains(said, part) {
				t.Errorf("%s: no %q in %q", id, part, said)
			}
		}
	}
	c.Options = map[string]string{"block": "8", "random": "0"}
	if said := attention.BigBird.Complete(c, 39, 512).String(); !strings.Contains(said, "blocks of 8 with 0 random") ||
		!strings.Contains(said, "From 41 tokens on") {
		t.Errorf("with larger blocks: %q", said)
	}
}
