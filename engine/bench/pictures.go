package bench

import (
	"fmt"
	"io"
	"strings"

	"attnatlas/engine/costs"
	"attnatlas/engine/figure"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
)

// pictures returns the tasks that draw labelled maps.
func pictures(s Sizes) []*task {
	var list []*task
	for _, n := range s.Pictures {
		list = append(list, &task{name: fmt.Sprintf("png/%d",
			n), unit: Milliseconds, threads: 1, open: func() (operation, error) {
			spec := picture(n)
			return func() error {
				f, err := figure.New(spec)
				if err != nil {
					return err
				}
				return f.PNG(io.Discard)
			}, nil
		}})
	}
	return list
}

const sentence = "The old woman who lived by the river counted her geese twice , and then once more"

// picture returns a map of attention weights with words on both sides.
func picture(n int) figure.Spec {
	words, labels := strings.Fields(sentence), make([]string, n)
	for i := range labels {
		labels[i] = words[i%len(words)]
	}
	weights := costs.Noise(n, n)
	tensor.Scale(weights.Data, 3, weights.Data)
	tensor.SoftmaxRows(weights.Data, weights.Data, n)
	return figure.Spec{
		Title: "Dot product · A", Subtitle: "layer 2 · mean of 4 heads · “" + sentence + "”",
		Map: trace.Map{
			Name: "weights", Kind: trace.Probability, Value: weights,
			Axes: []trace.Axis{{Role: trace.Query, Labels: labels}, {Role: trace.Key, Labels: labels}},
		},
		Norm: figure.PerRow,
	}
}
