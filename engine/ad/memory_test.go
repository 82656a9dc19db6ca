package ad

import "testing"

func TestSlabPiecesDoNotOverlap(t *testing.T) {
	var s slab[int]
	for round := range 4 {
		var pieces [][]int
		for n := range 300 {
			p := s.take(n * (round + 1) % 97)
			for i := range p {
				p[i] = n
			}
			pieces = append(pieces, p)
		}
		for n, p := range pieces {
			for _, v := range p {
				if v != n {
					t.Fatalf("round %d: piece %d was overwritten by piece %d", round, n, v)
				}
			}
			if cap(p) != len(p) {
				t.Fatalf("piece %d could grow into its neighbour", n)
			}
		}
		s.reset()
	}
}

func TestSlabMakesNoGarbageOnceItHasGrown(t *testing.T) {
	var s slab[Elem]
	round := func() {
		for n := range 100 {
			s.take(1000 * n)
		}
		s.reset()
	}
	round()
	if allocs := testing.AllocsPerRun(20, round); allocs != 0 {
		t.Errorf("%v allocations in a round", allocs)
	}
}
