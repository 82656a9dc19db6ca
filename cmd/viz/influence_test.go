package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestInfluenceOnTheCommandLine: the command prints the same bytes as the server.
func TestInfluenceOnTheCommandLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.png")
	if status, _, errs := viz(t, "render", "--text", "The cat sat.", "--mechanism", "fastformer", "--map", "influence",
		"--out", path); status != 0 {
		t.Fatal(errs)
	}
	drawn, err := os.ReadFile(path)
	must(t, err)
	response, err := http.Get(pages(t).URL + "/export/fastformer.png?text=The+cat+sat.&map=influence")
	must(t, err)
	defer response.Body.Close()
	served, err := io.ReadAll(response.Body)
	must(t, err)
	if !bytes.Equal(drawn, served) {
		t.Error("the command line and the server draw different files")
	}
	_, out, errs := viz(t, "attend", "--text", "The cat sat.", "-m", "fastformer", "--map", "influence")
	if !regexp.MustCompile(`^fastformer, layer 1, influence\n  \[CLS\] is influenced by +\S+ \d+\.\d{3} · `).MatchString(out) {
		t.Error(out, errs)
	}
	_, out, _ = viz(t, "attend", "--text", "The cat sat.", "-m", "random", "--map", "influence", "--json")
	var answer struct {
		Mechanisms []struct {
			Layers []struct{ Maps []struct{ Name string } }
		}
	}
	must(t, json.Unmarshal([]byte(out), &answer))
	if l := answer.Mechanisms[0].Layers; len(l) != 1 || len(l[0].Maps) != 1 || l[0].Maps[0].Name != "influence" {
		t.Errorf("%.300s", out)
	}
}
