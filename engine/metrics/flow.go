package metrics

import (
	"math"

	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// Flow returns the attention flow after layer l, counted from 0 (Abnar and Zuidema 2020,
// arXiv:2005.00928, sec. 3). The capacity of every connection between layers is Ã (see Rollout),
// and
//
//	raw_ij = the largest flow from position i after layer l to input j, along all paths at once
//
// Each pair is a separate flow problem. raw has shape [N,N]; the map is Shares(raw). Layers are as
// in Rollout. Flow calls turn before every row, and stops if turn returns an error.
//
// Flow into input j cannot exceed the capacity of its connections in the first layer. In deep
// layers, this limit applies to every i, so that all rows are equal (see Saturated). The flow then
// shows which inputs count, but not for which position.
func Flow(layers []trace.Map, l int, turn func() error) (*tensor.T, error) {
	steps := make([]*tensor.T, l+1)
	for i := range steps {
		steps[i] = withResidual(layers[i].HeadMean().Value) // [N,N]
	}
	n := steps[0].Dim(0)
	raw := tensor.New(n, n)
	g := newFlowGraph(steps)
	for i := range n {
		if err := turn(); err != nil {
			return nil, err
		}
		for j := range n {
			var most float64
			switch l {
			case 0:
				most = float64(steps[0].At(i, j))
			case 1:
				most = twoLayers(steps[1], steps[0], i, j)
			default:
				most = g.most(i, j)
			}
			raw.Data[i*n+j] = tensor.Elem(most)
		}
	}
	return raw, nil
}

// twoLayers returns the flow through two layers, in which every word between them gives a separate
// path.
func twoLayers(second, first *tensor.T, i, j int) float64 {
	sum := 0.0
	for k := range first.Dim(0) {
		sum += float64(min(second.At(i, k), first.At(k, j)))
	}
	return sum
}

// saturation is the largest difference between rows that count as equal; it allows for rounding.
const saturation = 1e-6

// Saturated reports whether a map of flows [N,N] is saturated: in every column, all rows that reach
// the column have the same value. If reach is nil, all rows reach all columns.
func Saturated(raw *tensor.T, reach func(i, j int) bool) bool {
	n := raw.Dim(0)
	for j := range n {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range n {
			if reach == nil || reach(i, j) {
				low, high = min(low, float64(raw.At(i, j))), max(high, float64(raw.At(i, j)))
			}
		}
		if high-low > saturation {
			return false
		}
	}
	return n > 1
}

// flowGraph is the network of the layers. Level 0 holds the inputs, and node i of level k+1 has a
// connection with capacity room[k][i,j] to node j of level k. Flow in the reverse direction undoes
// earlier flow.
type flowGraph struct {
	n, levels int
	full      []float64 // [K,N,N] capacity of the connections from level k+1 to level k
	down, up  []float64 // remaining capacity, and flow that can be undone
	depth     []int     // distance of each node from the source in the breadth-first search
	next      []int     // first neighbour of each node that is still worth trying
	queue     []int
}

func newFlowGraph(steps []*tensor.T) *flowGraph {
	n := steps[0].Dim(0)
	g := &flowGraph{n: n, levels: len(steps) + 1}
	for _, s := range steps {
		for _, v := range s.Data {
			g.full = append(g.full, float64(v))
		}
	}
	g.down, g.up = make([]float64, len(g.full)), make([]float64, len(g.full))
	g.depth, g.next, g.queue = make([]int, n*g.levels), make([]int, n*g.levels), make([]int, 0, n*g.levels)
	return g
}

// drained is the capacity below which a connection counts as used up.
const drained = 1e-12

// most returns the largest flow from node i of the last level to node j of the first (Dinic 1970).
// It ends early when all capacity into the sink is used.
func (g *flowGraph) most(i, j int) float64 {
	copy(g.down, g.full)
	clear(g.up)
	bound := 0.0
	for k := range g.n {
		bound += g.full[k*g.n+j]
	}
	bound = min(bound, 1)
	source, sink, sum := (g.levels-1)*g.n+i, j, 0.0
	for sum < bound-drained && g.search(source, sink) {
		clear(g.next)
		for {
			pushed := g.push(source, sink, math.Inf(1))
			if pushed <= drained {
				break
			}
			sum += pushed
		}
	}
	return sum
}

// neighbour returns neighbour k of a node's 2N neighbours, first those below, then those above. It
// also returns the capacity towards it, and the capacity that flow to it opens in the reverse
// direction.
func (g *flowGraph) neighbour(node, k int) (to int, room, back *float64) {
	level, i, n := node/g.n, node%g.n, g.n
	if k < n {
		if level == 0 {
			return 0, nil, nil
		}
		at := ((level-1)*n+i)*n + k
		return (level-1)*n + k, &g.down[at], &g.up[at]
	}
	if k -= n; level == g.levels-1 {
		return 0, nil, nil
	}
	at := (level*n+k)*n + i
	return (level+1)*n + k, &g.up[at], &g.down[at]
}

// search computes the depth of every node, and reports whether the sink can be reached.
func (g *flowGraph) search(source, sink int) bool {
	for i := range g.depth {
		g.depth[i] = -1
	}
	g.depth[source] = 0
	g.queue = append(g.queue[:0], source)
	for at := 0; at < len(g.queue) && g.depth[sink] < 0; at++ {
		node := g.queue[at]
		for k := range 2 * g.n {
			if to, room, _ := g.neighbour(node, k); room != nil && *room > drained && g.depth[to] < 0 {
				g.depth[to] = g.depth[node] + 1
				g.queue = append(g.queue, to)
			}
		}
	}
	return g.depth[sink] >= 0
}

// push sends flow of up to limit from a node to the sink, along one path of falling distance.
func (g *flowGraph) push(node, sink int, limit float64) float64 {
	if node == sink {
		return limit
	}
	for ; g.next[node] < 2*g.n; g.next[node]++ {
		to, room, back := g.neighbour(node, g.next[node])
		if room == nil || *room <= drained || g.depth[to] != g.depth[node]+1 {
			continue
		}
		if sent := g.push(to, sink, min(limit, *room)); sent > drained {
			*room -= sent
			*back += sent
			return sent
		}
	}
	return 0
}
