package engine_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/fault"
	"attnatlas/engine/tensor"
)

// TestFilesThatAreNoModels: an unreadable file with the name of a model is not reported as missing, but with its
// fault. It is read once it is repaired.
func TestFilesThatAreNoModels(t *testing.T) {
	dir := t.TempDir()
	at := func(id string) string { return filepath.Join(dir, id+checkpoint.Extension) }
	for _, err := range []error{
		os.Mkdir(at("dense"), 0o755), os.Symlink("nowhere", at("random")), os.Symlink("/dev/zero", at("bert")),
		exec.Command("mkfifo", at("linear")).Run(),
		os.Symlink("nowhere", at("encoder.linformer")), os.Symlink("nowhere", at("gpt2")+checkpoint.Compressed),
	} {
		if err != nil {
			t.Skip(err)
		}
	}
	e := engine.NewIn(os.DirFS(dir))
	for id, says := range map[string]string{
		"dense": "dense.safetensors cannot be opened: it is a folder", "random": "it is a link to a file that does not exist",
		"bert":   "it is a device",
		"linear": "it is a pipe", "encoder.linformer": "encoder.linformer.safetensors cannot be opened: it is a link",
		"gpt2": "gpt2.safetensors.gz cannot be opened: it is a link",
	} {
		_, err := e.Info(id)
		answer := inspect(t, e, engine.Request{Text: "cat", Mechanisms: []string{id}}).Mechanisms[0].Err
		for _, err := range []error{err, answer} {
			if fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
	if _, err := e.Info("fastformer"); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "nowhere"), file(t, config("random")), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Info("random"); err != nil {
		t.Error(err)
	}
}

// TestPanicWhereAModelIsLookedFor: a panic of the source costs one answer, also while the engine looks up the id
// under which a model is stored.
func TestPanicWhereAModelIsLookedFor(t *testing.T) {
	from := source(t)
	e := engine.NewFrom(func(id string) ([]byte, bool) {
		if strings.HasPrefix(id, "encoder.") {
			panic("a broken source")
		}
		return from(id)
	})
	if _, err := e.Info("encoder.dense"); fault.KindOf(err) != fault.Internal || err == nil {
		t.Error(err)
	}
	rep := inspect(t, e, engine.Request{Text: "cat", Mechanisms: []string{"encoder.dense", "dense"}})
	if rep.Mechanisms[0].Err == nil || rep.Mechanisms[1].Err != nil {
		t.Error(rep.Mechanisms[0].Err, rep.Mechanisms[1].Err)
	}
}

// TestNumbersThatAreNone: NaN in the weights is reported with its array when the model is opened. Weights that are
// too large affect only their own card.
func TestNumbersThatAreNone(t *testing.T) {
	f, err := checkpoint.Parse(file(t, config("dot-product")))
	if err != nil {
		t.Fatal(err)
	}
	write := func() []byte {
		var b strings.Builder
		if err := checkpoint.Write(&b, f.Arrays, f.Meta, checkpoint.All(checkpoint.Single)); err != nil {
			t.Fatal(err)
		}
		return []byte(b.String())
	}
	const array = "layer 1/ffn/W_1"
	f.Arrays[array].Data[3] = tensor.Elem(math.NaN())
	nans := write()
	for i := range f.Arrays[array].Data {
		f.Arrays[array].Data[i] = 3e38
	}
	for says, data := range map[string][]byte{"“" + array + "” contains NaN": nans, "This model cannot compute": write()} {
		e := engine.NewIn(fstest.MapFS{"dot-product.safetensors": {Data: data},
			"dense.safetensors": {Data: file(t, config("dense"))}})
		rep := inspect(t, e, engine.Request{Text: "the cat", Mechanisms: []string{"dot-product", "dense"}})
		if err := rep.Mechanisms[0].Err; fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), says) ||
			rep.Mechanisms[0].Layers != nil {
			t.Errorf("%s: %v", says, err)
		}
		if err := rep.Mechanisms[1].Err; err != nil {
			t.Error(err)
		}
	}
}
