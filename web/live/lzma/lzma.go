package lzma

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// horizon is the number of bytes that are planned at once.
const horizon = 1 << 12

// Compress returns data as an .lzma file: thirteen bytes of settings and size, and the stream.
func Compress(data []byte) []byte {
	e := &encoder{finder: finder{data: data, below: make([][2]int32, len(data))}, writer: writer{width: math.MaxUint32}}
	e.reset()
	memory := uint32(1) << max(12, bits.Len(uint(len(data)))) // no match can be farther away
	e.out = append(e.out, placeBits*5*9+literalBits)
	e.out = binary.LittleEndian.AppendUint32(e.out, memory)
	e.out = binary.LittleEndian.AppendUint64(e.out, uint64(len(data)))
	for at := 0; at < len(data); {
		e.prices.fill(&e.models)
		for _, s := range e.plan(at, min(horizon, len(data)-at)) {
			e.put(&e.writer, data, at, e.past, s)
			e.past = e.after(s)
			at += int(s.length)
		}
	}
	return e.end()
}

// encoder is the state while a stream is written.
type encoder struct {
	finder
	models
	writer
	past
	prices  tariff
	nodes   [horizon + 1]node
	matches []match
	steps   []step
}

// node is the cheapest known path to a place.
type node struct {
	cost uint32
	step
}

// plan finds the cheapest steps through the next n bytes, at the present prices. It is a shortest path through the
// places, of which each stores only its cheapest predecessor.
func (e *encoder) plan(at, n int) []step {
	pasts := make([]past, n+1)
	pasts[0] = e.past
	for i := range e.nodes[:n+1] {
		e.nodes[i].cost = math.MaxUint32
	}
	e.nodes[0].cost = 0
	for i := 0; i < n; {
		if i > 0 {
			s := e.nodes[i].step
			pasts[i] = pasts[i-int(s.length)].after(s)
		}
		i += e.expand(at, i, n, pasts[i])
	}
	e.steps = e.steps[:0]
	for i := n; i > 0; i -= int(e.nodes[i].length) {
		e.steps = append(e.steps, e.nodes[i].step)
	}
	slices.Reverse(e.steps)
	return e.steps
}

// reach records a path to a place if it is cheaper than the known one.
func (e *encoder) reach(i int, cost uint32, s step) {
	if to := &e.nodes[i+int(s.length)]; cost < to.cost {
		to.cost, to.step = cost, s
	}
}

// expand records the paths that start at a place. It returns the distance to the next place to expand.
func (e *encoder) expand(at, i, n int, p past) int {
	here := at + i
	place, cost, most := here&(places-1), e.nodes[i].cost, min(longest, n-i)
	var bytes price
	e.literalAt(&bytes, e.data, here, p)
	e.reach(i, cost+priceOf(e.isMatch[p.state][place], 0)+uint32(bytes), step{length: 1, kind: literal})
	cost += priceOf(e.isMatch[p.state][place], 1)
	farthest := e.old(here, i, most, cost, p)
	if farthest < longest {
		farthest = max(farthest, e.fresh(here, i, most, cost+priceOf(e.isRep[0][p.state], 0)))
	}
	if farthest == longest {
		return longest // no path can be better
	}
	return 1
}

// old records the paths that reuse one of the last distances, and returns the length of the longest.
func (e *encoder) old(here, i, most int, cost uint32, p past) (farthest int) {
	place := here & (places - 1)
	for k, distance := range p.last {
		length, back := 0, here-1-int(distance)
		if back >= 0 {
			length = e.equal(back, here, 0, most)
		}
		if length == 0 {
			continue
		}
		var which price
		e.again(&which, p.state, k)
		cost := cost + uint32(which)
		if k == 0 {
			e.reach(i, cost+priceOf(e.isLong[p.state][place], 0), step{length: 1})
			cost += priceOf(e.isLong[p.state][place], 1)
		}
		for l := shortest; l <= length; l++ {
			e.reach(i, cost+e.prices.length[1][place][l], step{length: int32(l), kind: int8(k)})
		}
		farthest = max(farthest, length)
	}
	return farthest
}

// fresh records the paths that use a new distance, and returns the length of the longest.
func (e *encoder) fresh(here, i, most int, cost uint32) int {
	e.matches = e.find(e.matches[:0], here)
	l := shortest
	for _, m := range e.matches {
		for ; l <= min(m.length, most); l++ {
			price := cost + e.prices.length[0][here&(places-1)][l] + e.prices.distance(lengthClass(l), m.distance)
			e.reach(i, price, step{length: int32(l), kind: fresh, distance: m.distance})
		}
	}
	return l - 1
}
