package huggingface_test

import (
	"path/filepath"
	"slices"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// TestBrief: a pass that takes back the memory of its layers has the same maps and the same result.
func TestBrief(t *testing.T) {
	for _, dir := range goldens(t) {
		m, err := huggingface.Open(dir)
		if err != nil || m.Library.ModelType == huggingface.ModuleType {
			continue
		}
		m.Prepare()
		ids := whole(expected(t, dir).Ints["ids.0"].Data)
		read := func(brief bool) (maps []*tensor.T) {
			p := nn.NewPass(ad.NewFrozen())
			for range 2 { // the second time in one block of memory
				p.Reset()
				p.Brief, p.Run, maps = brief, &trace.Run{Only: []string{"weights"}}, nil
				var y *ad.Var
				if m.Seq2Seq != nil {
					y = m.Seq2Seq.Encode(p, encoder.Pair{Source: ids, Count: 1})
				} else {
					y = m.Encode(p, ids, 1)
				}
				for _, part := range p.Run.Parts {
					w, _ := part.Find("weights")
					maps = append(maps, w.Value)
				}
				maps = append(maps, y.Value.Clone())
			}
			return maps
		}
		whole, brief := read(false), read(true)
		if len(whole) < 2 || len(whole) != len(brief) {
			t.Fatalf("%s: %d maps, and %d", dir, len(whole), len(brief))
		}
		for i := range whole {
			if !slices.Equal(whole[i].Data, brief[i].Data) {
				t.Errorf("%s: map %d of %d differs", filepath.Base(dir), i+1, len(whole))
			}
		}
	}
}
