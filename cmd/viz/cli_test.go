package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// viz runs the program as main does.
func viz(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(context.Background(), args, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

func TestAttendPrintsWhatTheServerAnswers(t *testing.T) {
	status, out, errs := viz(t, "attend", "--text", "The cat sat.", "--mechanism", "dense,fastformer", "--layer",
		"1", "--json")
	if status != 0 {
		t.Fatal(status, errs)
	}
	response, err := http.Get(pages(t).URL + "/api/v1/attend?text=The+cat+sat.&m=dense,fastformer&layer=1")
	must(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(t, err)
	if strings.TrimSpace(out) != strings.TrimSpace(string(body)) {
		t.Error("the command line and the server answer differently")
	}
	if !json.Valid([]byte(out)) || !strings.Contains(out, `"alpha"`) {
		t.Errorf("%.200s", out)
	}
}

// TestAttendStreams: the command line prints the server's lines, and an error ends them.
func TestAttendStreams(t *testing.T) {
	status, out, errs := viz(t, "attend", "--text", "The cat sat.", "-m", "dense", "--stream", "--layer", "2", "--rows",
		"3,1", "--top", "2")
	response, err := http.Post(pages(t).URL+"/api/v1/attention", "application/json", strings.NewReader(
		`{"model": "dense", "text": "The cat sat.", "layers": [2], "rows": [3, 1], "top": 2, "stream": true}`))
	must(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(t, err)
	if status != 0 || out != string(body) || strings.Count(out, "\n") != 2 {
		t.Errorf("%d, %s: %q, the server %q", status, errs, out, body)
	}
	for flags, says := range map[string]string{
		"-m linformer": "linformer has no attention weights", "-m dense --head mean": "number of a head",
		"-m dense --mask causal": "leave out --mask", "-m dense --layer 9": "layers has 9",
	} {
		args := append([]string{"attend", "--text", "The cat sat.", "--stream"}, strings.Fields(flags)...)
		if status, out, errs := viz(t, args...); status != failed || out != "" || !strings.Contains(errs, says) {
			t.Errorf("%s: %d, %q, %s", flags, status, out, errs)
		}
	}
	for _, ending := range []string{"npz", "npy", "json"} {
		asked := `{"model": "dense", "text": "The cat sat.", "rows": [3, 1], "half": true, "format": "` + ending + `"}`
		response, err := http.Post(pages(t).URL+"/api/v1/attention", "application/json", strings.NewReader(asked))
		must(t, err)
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		must(t, err)
		args := []string{"attend", "--text", "The cat sat.", "-m", "dense", "--rows", "3,1", "--half", "--out"}
		to := filepath.Join(t.TempDir(), "weights."+ending)
		status, _, errs := viz(t, append(args, to)...)
		file, err := os.ReadFile(to)
		if err != nil || status != 0 || !bytes.Equal(file, body) {
			t.Errorf("%s: %d, %s, %v: %d bytes, the server %d", ending, status, errs, err, len(file), len(body))
		}
		if _, out, errs := viz(t, append(args, "-")...); ending == "json" && out != string(body) {
			t.Errorf("%q, %s", out, errs)
		}
	}
	for flags, says := range map[string]string{"-m dense,random --out x.npz": "one model, not of 2",
		"-m dense --out x.csv": ".csv", "-m dense --half": "need --stream", "-m linformer --out x.npy": "no attention weights"} {
		args := append([]string{"attend", "--text", "The cat sat."}, strings.Fields(flags)...)
		if status, _, errs := viz(t, args...); status == 0 || !strings.Contains(errs, says) {
			t.Errorf("%s: %d, %s", flags, status, errs)
		}
	}
	p := parts{to: io.Discard}
	fmt.Fprint(&p, "{}\n")
	p.Break([]byte(`{"status": 503, "detail": "too late"}`))
	if err := p.problem(); p.status < 500 || err == nil || err.Error() != "too late" {
		t.Errorf("%d, %v", p.status, err)
	}
}

func TestAttendSummary(t *testing.T) {
	_, out, _ := viz(t, "attend", "--text", "The cat sat.", "-m", "random")
	if !regexp.MustCompile(`random, layer 2, head \d, weights\n  \[CLS\] attends to +\S+ 0\.\d{3} · `).MatchString(out) {
		t.Error(out)
	}
}

func TestRender(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.png")
	if status, _, errs := viz(t, "render", "--text", "The cat sat.", "--mechanism", "fastformer", "--map", "alpha",
		"--out", path); status != 0 {
		t.Fatal(errs)
	}
	drawn, err := os.ReadFile(path)
	must(t, err)
	picture, err := png.Decode(bytes.NewReader(drawn))
	if err != nil || picture.Bounds().Dx() < 100 {
		t.Fatal(err, picture.Bounds())
	}
	response, err := http.Get(pages(t).URL + "/export/fastformer.png?text=The+cat+sat.&map=alpha")
	must(t, err)
	defer response.Body.Close()
	served, err := io.ReadAll(response.Body)
	must(t, err)
	if !bytes.Equal(drawn, served) {
		t.Error("the command line and the server draw different files")
	}
}

func TestMistakesOnTheCommandLine(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"attend --text x --mechanism telepathy", 1, "No mechanism named"},
		{"attend --text x --layer 99", 1, "layer 99 does not exist"},
		{"attend --text x --head=-1", 1, "head"},
		{"attend --text x --mask sideways", 1, "mask"},
		{"render --text x --mechanism dense --out x.gif", 1, "must end in png, svg"},
		{"render --text x --mechanism dense", 2, "--out"},
		{"train telepathy --data .", 1, "no mechanism or architecture named"},
		{"train dense --data . --steps 0", 1, "at least 1"},
		{"train dense --data /nowhere", 1, "no folder named /nowhere"},
		{"train dense --data . --width 1000000000 --heads 1", 1, "exceed the limits of a model"},
		{"train dense --data . --width 65536 --heads 1", 1, "parameters"},
		{"train dense --data . --layers 1000000", 1, "layers, limit 1000"},
		{"verify /nowhere", 1, "not a case folder"},
		{"serve --addr localhost:0 --weights /nowhere", 1, "not a folder"},
		{"serve --addr nowhere:99999", 1, "cannot listen"},
		{"nonsense", 2, "nonsense"},
	} {
		status, out, errs := viz(t, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(out+errs, c.says) {
			t.Errorf("viz %s: status %d, %q %q", c.args, status, out, errs)
		}
	}
}

func TestVerifyCommand(t *testing.T) {
	const cases = root + "/engine/verify/testdata/"
	dir := t.TempDir()
	status, out, errs := viz(t, "verify", "--out", dir, cases+"seed003_dense/pad_b2", cases+"fastformer_attn/pad_b2_n12")
	if status != 0 || !strings.Contains(out, "2 of 2 cases agree") || !strings.Contains(out, "grad.input.x") {
		t.Error(status, out, errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "seed003_dense", "pad_b2.safetensors")); err != nil {
		t.Error(err)
	}
	broken := filepath.Join(dir, "seed003_dense", "broken")
	must(t, os.CopyFS(broken, os.DirFS(cases+"seed003_dense/pad_b2")))
	path := filepath.Join(broken, "io.safetensors")
	raw, err := os.ReadFile(path)
	must(t, err)
	raw[len(raw)-2] ^= 0x40 // a high bit of the last number
	must(t, os.WriteFile(path, raw, 0o644))
	if status, out, _ := viz(t, "verify", broken); status != 1 || !strings.Contains(out, "DIFFERS") {
		t.Error("a changed reference agrees", status, out)
	}
}

// TestVerifyOpensModels: verify opens and runs a folder written by the transformers library, and reports the errors
// of another one.
func TestVerifyOpensModels(t *testing.T) {
	for name, class := range map[string]string{"bert": "BertForPreTraining", "albert": "AlbertForPreTraining",
		"gpt2": "GPT2LMHeadModel"} {
		from, dir := root+"/engine/verify/testdata/"+name+"/n10_b1/", t.TempDir()
		var c struct {
			HF map[string]any `json:"hf_config"`
		}
		raw, err := os.ReadFile(from + "config.json")
		must(t, err)
		must(t, json.Unmarshal(raw, &c))
		c.HF["architectures"] = []string{class}
		raw, err = json.Marshal(c.HF)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, "config.json"), raw, 0o644))
		weights, err := os.ReadFile(from + "weights.safetensors")
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, "model.safetensors"), weights, 0o644))
		status, out, errs := viz(t, "verify", dir)
		if status != 0 || !strings.Contains(out, class) || !strings.Contains(out, "scores of words") ||
			!strings.Contains(out, "not used: ") {
			t.Error(status, out, errs)
		}
		c.HF["vocab_size"] = 49
		raw, err = json.Marshal(c.HF)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, "config.json"), raw, 0o644))
		if status, out, _ := viz(t, "verify", dir); status != 1 || !strings.Contains(out, "where config.json asks for [49 ") {
			t.Error("weights of another size are accepted", status, out)
		}
	}
}

// TestVerifyLayer: the maps of a layer of PyTorch are compared with those next to its folder.
func TestVerifyLayer(t *testing.T) {
	status, out, errs := viz(t, "verify", root+"/engine/huggingface/testdata/layer-mixture")
	if status != 0 || !strings.Contains(out, "MixtureSynthesizer") || !strings.Contains(out, "on 1 text: attention ") {
		t.Error(status, out, errs)
	}
}

func TestServeAndStop(t *testing.T) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	out, in := io.Pipe()
	done := make(chan int)
	go func() { done <- run(ctx, []string{"--addr", "localhost:0"}, in, io.Discard) }()
	line := make([]byte, 200)
	n, err := out.Read(line)
	must(t, err)
	address := regexp.MustCompile(`http://localhost:\d+`).FindString(string(line[:n]))
	response, err := http.Get(address + "/healthz")
	if err != nil || response.StatusCode != 200 {
		t.Fatal(string(line[:n]), err)
	}
	response.Body.Close()
	stop()
	if status := <-done; status != 0 {
		t.Errorf("stopped with status %d", status)
	}
}

// TestVersion: a program that was built from changed files marks its version.
