package huggingface

import (
	"fmt"
	"os"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// modelVariable names the folder of the model that BenchmarkForward measures.
const modelVariable = "VIZ_MODEL"

// BenchmarkForward measures a forward pass with all attention maps and the logits of all tokens. ONNX Runtime computes
// the same for a model that was exported with its attentions. `go test -cpu 1` measures one thread.
func BenchmarkForward(b *testing.B) {
	dir := os.Getenv(modelVariable)
	if dir == "" {
		b.Skip("set " + modelVariable + " to the folder of a model")
	}
	m, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	m.Prepare()
	for _, tokens := range []int{16, 64, 128, 512} {
		if tokens > m.Config.Length {
			continue
		}
		b.Run(fmt.Sprintf("tokens=%d", tokens), func(b *testing.B) {
			in := encoder.Input{IDs: make([]int, tokens), Count: 1}
			for i := range in.IDs {
				in.IDs[i] = (i*7919 + 13) % m.Config.Vocab
			}
			p := nn.NewPass(ad.NewFrozen())
			for range 2 { // until the memory of the pass has its size
				m.results(p, in)
			}
			for b.Loop() {
				m.results(p, in)
			}
		})
	}
}
