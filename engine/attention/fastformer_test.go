package attention_test

import (
	"math"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
)

// TestContribution: ‖W_T((β_j p_j) ∘ v_i)‖ equals its formula, for one head and for all heads, also
// if the pairs of features do not fit into one block.
func TestContribution(t *testing.T) {
	forEach := []attention.Config{{Width: 12, Heads: 3, Length: 8}, {Width: 60, Heads: 2, Length: 8}}
	for _, c := range forEach {
		s := newSubject(t, attention.Fastformer, c, 1, 7)
		_, run := s.run(nn.Mask{}, s.x, true)
		find := func(name string) []float32 {
			m, ok := run.Find(name)
			if !ok {
				t.Fatalf("no map %q", name)
			}
			all := make([]float32, m.Value.Len())
			for i, v := range m.Value.Data {
				all[i] = float32(v)
			}
			return all
		}
		beta, p, q, byHead, ofAll := find("beta"), find("p"), find("q"), find("contribution"),
			find("contribution of all heads")
		var w []float64
		for _, param := range s.params {
			if param.Name == "W_T" {
				for _, v := range param.Value.Data {
					w = append(w, float64(v))
				}
			}
		}
		const n = 7
		d, width := c.Width, c.HeadWidth()
		for i := range n {
			for j := range n {
				sum := make([]float64, d)
				for a := range c.Heads {
					own := make([]float64, d)
					for f := a * width; f < (a+1)*width; f++ {
						x := float64(beta[a*n+j]) * float64(p[j*d+f]) * float64(q[i*d+f])
						for o := range own {
							own[o] += w[o*d+f] * x
							sum[o] += w[o*d+f] * x
						}
					}
					near(t, float64(byHead[(a*n+i)*n+j]), length(own))
				}
				near(t, float64(ofAll[i*n+j]), length(sum))
			}
		}
	}
}

func length(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

func near(t *testing.T, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-5*(1+want) {
		t.Errorf("%g instead of %g", got, want)
	}
}
