package exhibit

import (
	"math"
	"slices"
)

// seriate orders profiles so that similar ones stand side by side. It first joins the most similar clusters, by
// the mean distance between their members (average linkage). It turns the two clusters so that the ends that meet
// are as similar as possible (Gruvaeus and Wainer 1972, “Two additions to hierarchical cluster analysis”).
// Distances are Euclidean. Of both directions, it takes the one that agrees more with the given order.
func seriate(profiles [][]float64) []int {
	n := len(profiles)
	d := distances(profiles)
	mean := make([][]float64, n) // between clusters, each at the index of its first member
	clusters := make([][]int, n)
	for i := range n {
		mean[i], clusters[i] = slices.Clone(d[i]), []int{i}
	}
	for range n - 1 {
		a, b := nearest(mean, clusters)
		size := [2]float64{float64(len(clusters[a])), float64(len(clusters[b]))}
		for k := range n {
			if clusters[k] != nil && k != a && k != b {
				mean[a][k] = (size[0]*mean[a][k] + size[1]*mean[b][k]) / (size[0] + size[1])
				mean[k][a] = mean[a][k]
			}
		}
		clusters[a], clusters[b] = join(clusters[a], clusters[b], d), nil
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

// nearest returns the indices a < b of the two clusters whose mean distance is smallest.
func nearest(mean [][]float64, clusters [][]int) (a, b int) {
	least := math.Inf(1)
	for i := range clusters {
		if clusters[i] == nil {
			continue
		}
		for j := i + 1; j < len(clusters); j++ {
			if clusters[j] != nil && mean[i][j] < least {
				least, a, b = mean[i][j], i, j
			}
		}
	}
	return a, b
}

// join appends one order to another, each turned so that the ends that meet are nearest.
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
