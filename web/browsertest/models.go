package browsertest

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
	"attnatlas/web"
	"attnatlas/web/atlas"
	"attnatlas/web/site"
)

// The following functions make small untrained models.

// smallConfig returns the configuration of one layer with a mechanism.
func smallConfig(id string) encoder.Config {
	return encoder.Config{
		Mechanism: id, Layers: 1, Width: 16, Heads: 4, Inner: 16, Length: 32, Vocab: tokenizer.Default().Size(),
		Norm: encoder.PreNorm,
	}
}

// Untrained serves untrained models of all mechanisms.
func Untrained(t *testing.T) *httptest.Server {
	t.Helper()
	return untrained.Get(t, func() *httptest.Server { return Serve(untrainedModels(t)) })
}

var untrained Shared[*httptest.Server]

func untrainedModels(t *testing.T) http.Handler {
	t.Helper()
	source := func(id string) ([]byte, bool) {
		c := smallConfig(id)
		m, err := encoder.New(c, 1)
		if err != nil {
			return nil, false
		}
		meta, err := checkpoint.Metadata(c, checkpoint.Info{Mechanism: id, Layers: c.Layers, Heads: c.Heads,
			Length: c.Length})
		if err != nil {
			return nil, false
		}
		var b bytes.Buffer
		err = checkpoint.Write(&b, checkpoint.Arrays(m.Params), meta, checkpoint.All(checkpoint.Single))
		return b.Bytes(), err == nil
	}
	e := engine.NewFrom(source)
	handler, err := web.New(site.Options{Inspector: e, Entries: attention.Catalog, Info: e.Info,
		Log: slog.New(slog.DiscardHandler)})
	Must(t, err)
	return handler
}

// firstValues returns the parameters of an untrained model.
func firstValues(t *testing.T, c encoder.Config) []*nn.Param {
	t.Helper()
	if c.Stack == encoder.EncoderDecoder.ID {
		m, err := encoder.NewSeq2Seq(c, 1)
		Must(t, err)
		return m.Params
	}
	m, err := encoder.New(c, 1)
	Must(t, err)
	return m.Params
}

// Folder returns a folder with small untrained models of the given ids.
func Folder(t *testing.T, ids ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, id := range ids {
		stack, mechanism, err := encoder.Parse(id)
		Must(t, err)
		c := smallConfig(mechanism)
		if entry, ok := encoder.FindStack(stack); ok && stack != "" {
			c.Stack, c.Norm, c.Objective = stack, "", entry.Objective
			entry.Defaults(&c)
		}
		meta, err := checkpoint.Metadata(c, checkpoint.Info{Mechanism: mechanism, Stack: stack, Layers: c.Layers,
			Heads: c.Heads, Length: c.Length})
		Must(t, err)
		f, err := os.Create(filepath.Join(dir, id+checkpoint.Extension))
		Must(t, err)
		Must(t, checkpoint.Write(f, checkpoint.Arrays(firstValues(t, c)), meta, checkpoint.All(checkpoint.Single)))
		Must(t, f.Close())
	}
	return dir
}

// ServeFolder returns the address of a server of the models of a folder.
func ServeFolder(t *testing.T, dir string) string {
	t.Helper()
	server := httptest.NewServer(folderHandler(t, dir))
	t.Cleanup(server.Close)
	return server.URL
}

func folderHandler(t *testing.T, dir string) http.Handler {
	t.Helper()
	handler, err := atlas.New(os.DirFS(dir), site.Options{Log: slog.New(slog.DiscardHandler)})
	Must(t, err)
	return handler
}
