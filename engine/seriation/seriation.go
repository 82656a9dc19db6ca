// Package seriation sorts the tokens of a map by similarity.
package seriation

import (
	"math"
	"slices"

	"attnatlas/engine/trace"
)

// Order returns the tokens sorted by their similarity in a map. all is the number of tokens in the text.
func Order(m trace.Map, tokens []int, all int) []int {
	for len(m.Axes) > 2 {
		m = m.Plane(0)
	}
	profiles := profilesOf(m, tokens, all)
	if profiles == nil {
		return tokens
	}
	arranged := make([]int, len(tokens))
	for to, from := range seriate(profiles) {
		arranged[to] = tokens[from]
	}
	return arranged
}

// profilesOf returns a unit vector for each of the tokens: its row followed by its column in a map of one or two axes.
// It returns nil if no axis has a position for each of the all tokens.
func profilesOf(m trace.Map, tokens []int, all int) [][]float64 {
	cols := m.Value.Dim(len(m.Axes) - 1)
	rows := len(m.Value.Data) / max(cols, 1)
	byRow := len(m.Axes) == 2 && m.Axes[0].Text && rows == all
	byCol := m.Axes[len(m.Axes)-1].Text && cols == all
	if !byRow && !byCol {
		return nil
	}
	value := func(r, c int) float64 {
		v := float64(m.Value.Data[r*cols+c])
		if math.IsNaN(v) || math.IsInf(v, 0) || len(m.Axes) == 2 && !m.Reaches(r, c) {
			return 0
		}
		return v
	}
	list := make([][]float64, len(tokens))
	for i, t := range tokens {
		if byRow {
			for c := range cols {
				list[i] = append(list[i], value(t, c))
			}
		}
		if byCol {
			for r := range rows {
				list[i] = append(list[i], value(r, t))
			}
		}
		if len(list[i]) > 1 {
			normalise(list[i])
		}
	}
	return list
}

func normalise(v []float64) {
	square := 0.0
	for _, x := range v {
		square += x * x
	}
	if square == 0 {
		return
	}
	for i := range v {
		v[i] /= math.Sqrt(square)
	}
}

// seriate orders profiles so that similar ones are adjacent. It repeatedly joins the two most similar clusters, by the
// mean Euclidean distance between their members (average linkage). It turns the two clusters so that the ends that meet
// are as similar as possible (Gruvaeus and Wainer 1972, “Two additions to hierarchical cluster analysis”).
// Of the two directions of the result, it takes the one that agrees more with the given order.
func seriate(profiles [][]float64) []int {
	n := len(profiles)
	d := distances(profiles)
	mean := make([][]float64, n) // between clusters, each at the index of its first member
	clusters := make([][]int, n)
	for i := range n {
		mean[i], clusters[i] = slices.Clone(d[i]), []int{i}
	}
	near := make([]int, n) // the nearest cluster with a larger index
	for i := range near {
		near[i] = nearest(i, mean, clusters)
	}
	for range n - 1 {
		a := -1
		for i, c := range clusters {
			if c != nil && near[i] >= 0 && (a < 0 || mean[i][near[i]] < mean[a][near[a]]) {
				a = i
			}
		}
		b := near[a]
		size := [2]float64{float64(len(clusters[a])), float64(len(clusters[b]))}
		clusters[a], clusters[b] = join(clusters[a], clusters[b], d), nil
		for k := range n {
			if clusters[k] != nil && k != a {
				mean[a][k] = (size[0]*mean[a][k] + size[1]*mean[b][k]) / (size[0] + size[1])
				mean[k][a] = mean[a][k]
			}
		}
		for k := range n { // a mean of two distances is not below both, so other clusters keep their nearest one
			if clusters[k] != nil && (k == a || near[k] == a || near[k] == b) {
				near[k] = nearest(k, mean, clusters)
			}
		}
	}
	if n == 0 {
		return nil
	}
	return forwards(clusters[0])
}

// distances returns the Euclidean distances between vectors, [n][n].
func distances(v [][]float64) [][]float64 {
	d := make([][]float64, len(v))
	for i := range v {
		d[i] = make([]float64, len(v))
		for j := range i {
			square := 0.0
			for k, x := range v[i] {
				square += (x - v[j][k]) * (x - v[j][k])
			}
			d[i][j] = math.Sqrt(square)
			d[j][i] = d[i][j]
		}
	}
	return d
}

// nearest returns the cluster with an index above i that has the smallest mean distance to cluster i, or −1.
func nearest(i int, mean [][]float64, clusters [][]int) int {
	best := -1
	for j := i + 1; j < len(clusters); j++ {
		if clusters[j] != nil && (best < 0 || mean[i][j] < mean[i][best]) {
			best = j
		}
	}
	return best
}

// join appends one order to another. It turns each so that the ends that meet are as near as possible.
func join(a, b []int, d [][]float64) []int {
	turned := func(v []int) []int {
		v = slices.Clone(v)
		slices.Reverse(v)
		return v
	}
	var best []int
	least := math.Inf(1)
	for _, left := range [][]int{a, turned(a)} {
		for _, right := range [][]int{b, turned(b)} {
			if gap := d[left[len(left)-1]][right[0]]; gap < least {
				least, best = gap, slices.Concat(left, right)
			}
		}
	}
	return best
}

// forwards reverses an order if the reverse agrees more with ascending numbers.
func forwards(order []int) []int {
	agreement := 0.0
	for at, i := range order {
		agreement += float64(2*at-len(order)+1) * float64(2*i-len(order)+1)
	}
	if agreement < 0 {
		slices.Reverse(order)
	}
	return order
}
