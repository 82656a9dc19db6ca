package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"attnatlas/engine/huggingface"
)

// library opens a model folder of the transformers library, says what is in it and
// runs it once, forwards, on the first ids of its vocabulary.
func library(dir string, w io.Writer) error {
	m, err := huggingface.Open(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	c := m.Config
	numbers, arrays := m.Numbers()
	fmt.Fprintf(w, "%s\n  %s: %d layers, width %d, %d heads, %d words, %d positions\n", dir, m.Library.Architecture(), c.Layers, c.Width, c.Heads, c.Vocab, c.Length)
	fmt.Fprintf(w, "  %d parameters in %d tensors of ours, all found\n", numbers, arrays)
	for _, list := range []struct {
		what  string
		names []string
	}{{"repeated, and equal", m.Tied}, {"not used", m.Unused}} {
		if len(list.names) > 0 {
			fmt.Fprintf(w, "  %d %s: %s\n", len(list.names), list.what, strings.Join(list.names, ", "))
		}
	}
	tokens, outputs, err := m.Forward()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "  a forward pass over ids 0 … %d:\n", tokens-1)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, o := range outputs {
		fmt.Fprintf(table, "    %s\t%v\t%.4f … %.4f\n", o.Name, o.Shape, o.Low, o.High)
	}
	return table.Flush()
}
