package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"attnatlas/engine/huggingface"
	"attnatlas/engine/messages"
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
	fmt.Fprintf(w, "%s\n  %s\n", dir, say("verify.model", "architecture", m.Library.Architecture(),
		"layers", c.Layers, "width", c.Width, "heads", c.Heads, "words", c.Vocab, "positions", c.Length))
	fmt.Fprintf(w, "  %s\n", say("verify.parameters", "parameters", numbers, "tensors", arrays))
	for _, list := range []struct {
		text  string
		names messages.List
	}{{"verify.tied", m.Tied}, {"verify.unused", m.Unused}} {
		if len(list.names) > 0 {
			fmt.Fprintf(w, "  %s\n", say(list.text, "tensors", len(list.names), "names", list.names))
		}
	}
	tokens, outputs, err := m.Forward()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "  %s\n", say("verify.forward", "last", tokens-1))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, o := range outputs {
		fmt.Fprintf(table, "    %s\t%v\t%.4f … %.4f\n", o.Name, o.Shape, o.Low, o.High)
	}
	return table.Flush()
}
