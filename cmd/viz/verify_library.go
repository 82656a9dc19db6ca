package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"text/tabwriter"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/messages"
)

// library opens a model folder of the transformers library and prints its contents. If a file next to the folder has
// the library's results, it compares the model with them; otherwise it runs the model once, on the first ids of its
// vocabulary.
func library(dir string, w io.Writer) error {
	m, err := huggingface.Open(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	c := m.Config
	numbers, arrays := m.Numbers()
	fmt.Fprintf(w, "%s\n  %s\n", dir, say("verify.model", "architecture", m.Library.Name(),
		"layers", c.Layers, "width", c.Width, "heads", c.Heads, "words", c.Vocab, "positions", c.Length))
	fmt.Fprintf(w, "  %s\n", say("verify.parameters", "parameters", numbers, "tensors", arrays))
	if len(m.Unused) > 0 {
		fmt.Fprintf(w, "  %s\n", say("verify.unused", "tensors", len(m.Unused), "names", messages.List(m.Unused)))
	}
	want, err := expected(filepath.Clean(dir) + huggingface.ExpectedSuffix)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return forwards(m, w)
	case err != nil:
		return err
	}
	d, err := m.Compare(want)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	fmt.Fprintf(w, "  %s\n", say("verify.compared", "count", d.Texts, "attention", fmt.Sprintf("%.1e", d.Attention),
		"hidden", fmt.Sprintf("%.1e", d.Hidden), "scores", fmt.Sprintf("%.1e", d.Scores)))
	if !d.OK() {
		return messages.Errorf("cli.verify.differs", "folder", dir)
	}
	return nil
}

// expected reads the library's results. The error is fs.ErrNotExist if there is no such file.
func expected(path string) (*checkpoint.File, error) {
	raw, err := disk.Read(path, checkpoint.MaxBytes())
	if err != nil {
		return nil, err
	}
	return checkpoint.Parse(raw)
}

// forwards runs a model once and prints its output.
func forwards(m *huggingface.Model, w io.Writer) error {
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
