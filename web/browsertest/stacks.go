package browsertest

import (
	"bytes"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
)

// StackIDs returns the ids of all architectures.
func StackIDs() []string {
	var ids []string
	for _, e := range encoder.Stacks {
		ids = append(ids, e.ID)
	}
	return ids
}

// Stacks returns a folder with a model of each architecture, and models of two mechanisms. Each model has three
// layers.
func Stacks(t *testing.T) string {
	t.Helper()
	return stacks.Get(t, func() string {
		dir, err := os.MkdirTemp("", "viz")
		Must(t, err)
		AtEnd(func() { _ = os.RemoveAll(dir) })
		for _, id := range append(StackIDs(), "dot-product", "linformer") {
			Must(t, os.WriteFile(filepath.Join(dir, id+checkpoint.Extension), stackFile(t, id), 0o644))
		}
		return dir
	})
}

var stacks Shared[string]

// ServeStacks returns the address of a server of the models of Stacks.
func ServeStacks(t *testing.T) string {
	t.Helper()
	return stackServer.Get(t, func() *httptest.Server { return Serve(folderHandler(t, Stacks(t))) }).URL
}

var stackServer Shared[*httptest.Server]

// stackFile returns the checkpoint of a model with three layers.
func stackFile(t *testing.T, id string) []byte {
	t.Helper()
	stack, mechanism, err := encoder.Parse(id)
	Must(t, err)
	c := encoder.Config{Stack: stack, Mechanism: mechanism, Layers: 3, Width: 16, Heads: 4, Inner: 16, Length: 32,
		Vocab: tokenizer.Default().Size(), Norm: encoder.PreNorm}
	if entry, ok := encoder.FindStack(stack); ok && stack != "" {
		c.Norm, c.Objective = "", entry.Objective
		entry.Defaults(&c)
	}
	params := firstValues(t, c)
	for _, p := range params { // far enough from 0 for tokens to differ
		for i := range p.Value.Data {
			p.Value.Data[i] += tensor.Elem(math.Sin(float64(i*7+len(p.Name)))) / 5
		}
	}
	meta, err := checkpoint.Metadata(c, checkpoint.Info{Mechanism: mechanism, Stack: stack, Layers: c.Layers,
		Heads: c.Heads, Width: c.Width, Length: c.Length, Params: 1234, Score: scores(c)})
	Must(t, err)
	var b bytes.Buffer
	Must(t, checkpoint.Write(&b, checkpoint.Arrays(params), meta, checkpoint.All(checkpoint.Single)))
	return b.Bytes()
}

// scores returns the scores of a model that has learned all its tasks.
func scores(c encoder.Config) map[string]float64 {
	all := map[string]float64{}
	for _, task := range c.Tasks {
		all[task.Name] = 0.75
	}
	return all
}
