package attention_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// cuts adds masks with an ablation of everything that the entry allows. All that the contract
// requires of masks is thereby also required of ablations.
func (s subject) cuts(all map[string]nn.Mask) map[string]nn.Mask {
	cut := nn.Cut{Words: []int{1}}
	if s.entry.NoHeads.IsZero() {
		cut.Heads = make([]bool, s.heads)
		cut.Heads[1] = true
	}
	if s.entry.Masks.NoPairs.IsZero() {
		cut.Cells = []nn.CutCell{{Head: -1, Query: 2, Key: 0}, {Head: 0, Query: 0, Key: 3}}
	}
	all["cut"] = nn.Mask{Cut: &cut}
	if causal, ok := all["causal"]; ok { // the first word can then attend to nothing
		first := cut
		first.Words = []int{0, 3}
		causal.Cut = &first
		all["causal and cut"] = causal
	}
	return all
}

// reads reports whether a mask lets any head compute a pair.
func (s subject) reads(mask nn.Mask, q, k int) bool {
	for h := range s.heads {
		if mask.Reads(0, h, q, k) {
			return true
		}
	}
	return false
}

// emptied reports whether an ablation leaves some position in some head nothing to attend to.
func (s subject) emptied(mask nn.Mask) bool {
	n := s.x.Dim(1)
	for row := range s.heads * n {
		left := mask.Cut == nil
		for k := range n {
			left = left || mask.Reads(0, row/n, row%n, k)
		}
		if !left {
			return true
		}
	}
	return false
}

// TestCutWordsAreNotRead: if a word is blocked, changing it leaves every other position
// bit-identical, for every mechanism and option. Without blocking, some position changes.
func TestCutWordsAreNotRead(t *testing.T) {
	const n = 6
	forVariants(t, small, func(t *testing.T, e attention.Entry, c attention.Config) {
		s := newSubject(t, e, c, 1, n)
		d := s.x.Dim(2)
		for j := range n {
			moved := s.x.Clone()
			for f := range d {
				moved.Data[j*d+f] += 3
			}
			notices := func(mask nn.Mask) (who []int) {
				before, _ := s.run(mask, s.x, false)
				after, _ := s.run(mask, moved, false)
				for i := range n {
					if i != j && !slices.Equal(before.Data[i*d:][:d], after.Data[i*d:][:d]) {
						who = append(who, i)
					}
				}
				return who
			}
			if len(notices(nn.Mask{})) == 0 {
				t.Errorf("nobody reads word %d anyway", j)
			}
			if who := notices(nn.Mask{Cut: &nn.Cut{Words: []int{j}}}); len(who) > 0 {
				t.Errorf("word %d is cut, yet %v change with it", j, who)
			}
		}
	})
}

// outputs returns the matrices after the heads, which have the same name in every mechanism.
func outputs(params []*nn.Param) (list []*nn.Param) {
	for _, p := range params {
		name := p.Name[strings.LastIndexAny(p.Name, "/.")+1:]
		if name == "W_O" || name == "W_O'" || name == "W_T" {
			list = append(list, p)
		}
	}
	return list
}

// TestCutHeadsAreThoseWithoutOutput: zeroing out a head gives the same bits as an output projection
// with zeros in the columns of that head.
func TestCutHeadsAreThoseWithoutOutput(t *testing.T) {
	forVariants(t, small, func(t *testing.T, e attention.Entry, c attention.Config) {
		if !e.NoHeads.IsZero() {
			return
		}
		s := newSubject(t, e, c, 1, 6)
		whole, _ := s.run(nn.Mask{}, s.x, false)
		for h := range c.Heads {
			cut := nn.Cut{Heads: make([]bool, c.Heads)}
			cut.Heads[h] = true
			got, _ := s.run(nn.Mask{Cut: &cut}, s.x, true)
			other := newSubject(t, e, c, 1, 6)
			list := outputs(other.params)
			if len(list) == 0 {
				t.Fatal("no output projection was found")
			}
			for _, w := range list {
				cols := w.Value.Dim(1)
				for i := range w.Value.Data {
					if i%cols*c.Heads/cols == h {
						w.Value.Data[i] = 0
					}
				}
			}
			want, _ := other.run(nn.Mask{}, s.x, true)
			if !slices.Equal(got.Data, want.Data) {
				t.Errorf("without head %d it differs by %v from a model whose projection has no such head", h,
					maxDiff(got.Data, want.Data))
			}
			if slices.Equal(got.Data, whole.Data) {
				t.Errorf("head %d makes no difference", h)
			}
		}
	})
}

// TestNothingCutChangesNothing: an empty Cut gives the same bits as none.
func TestNothingCutChangesNothing(t *testing.T) {
	forVariants(t, small, func(t *testing.T, e attention.Entry, c attention.Config) {
		s := newSubject(t, e, c, 1, 6)
		for _, watched := range []bool{false, true} {
			want, _ := s.run(nn.Mask{}, s.x, watched)
			got, _ := s.run(nn.Mask{Cut: &nn.Cut{Heads: make([]bool, c.Heads)}}, s.x, watched)
			if !slices.Equal(got.Data, want.Data) {
				t.Errorf("watched %v: a cut of nothing changes something", watched)
			}
		}
	})
}

// TestCutCells: a cell that is blocked in one head has weight 0 there. The rest of its row keeps
// its proportions, and all other rows and heads are unchanged.
func TestCutCells(t *testing.T) {
	const head, row, col = 1, 4, 3
	forVariants(t, small, func(t *testing.T, e attention.Entry, c attention.Config) {
		if !e.Masks.NoPairs.IsZero() || !e.NoRollout.IsZero() || c.Options["mix"] == "outputs" { // not one softmax
			return
		}
		s := newSubject(t, e, c, 1, 6)
		_, whole := s.run(nn.Mask{}, s.x, true)
		_, without := s.run(nn.Mask{Cut: &nn.Cut{Cells: []nn.CutCell{{Head: head, Query: row, Key: col}}}}, s.x, true)
		a, _ := whole.Find("weights")
		b, _ := without.Find("weights")
		gone := float64(a.Value.At(head, row, col))
		for i, v := range b.Value.Data {
			want := float64(a.Value.Data[i])
			switch h, q, k := i/36, i/6%6, i%6; {
			case h == head && q == row && k == col:
				want = 0
			case h == head && q == row && gone < 1:
				want /= 1 - gone
			}
			if math.Abs(float64(v)-want) > 1e-5 {
				t.Fatalf("weight %d is %v, not %v", i, v, want)
			}
		}
	})
}

// TestEntriesSayWhetherThereAreHeads: zeroing out a head concerns a head that maps show. Maps of a
// mechanism without heads show none.
func TestEntriesSayWhetherThereAreHeads(t *testing.T) {
	for _, e := range attention.Catalog {
		_, run := newSubject(t, e, small, 1, 6).run(nn.Mask{}, tensor.New(1, 6, small.Width), true)
		m, _ := run.Find(e.Views[0].Map)
		if _, heads := m.Has(trace.Head); heads != e.NoHeads.IsZero() {
			t.Errorf("%s has heads: %v; its entry says why not: %q", e.ID, heads, e.NoHeads.String())
		}
	}
}
