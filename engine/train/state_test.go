package train

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stopped returns the options of a run that was killed after two steps, with its saved state.
func stopped(t *testing.T, c *Corpus) Options {
	t.Helper()
	o := options(6)
	o.State = filepath.Join(t.TempDir(), "m.safetensors")
	ctx, kill := context.WithCancel(context.Background())
	o.Progress = func(p Progress) {
		if p.Step == 2 {
			kill()
		}
	}
	if err := newRun(t, o).Train(ctx, c); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	o.Progress = nil
	return o
}

// TestStateKnowsItsTraining: a state of other texts, threads or rates is rejected with the reason.
// Anew starts from the first step.
func TestStateKnowsItsTraining(t *testing.T) {
	c := load(t, writeData(t), Train)
	o := stopped(t, c)
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "a.txt"), []byte(strings.Repeat("another text for the same model. ", 300)),
		0o644); err != nil {
		t.Fatal(err)
	}
	if err := newRun(t, o).Train(context.Background(), load(t, other, Train)); err == nil ||
		!strings.Contains(err.Error(), "other texts") {
		t.Errorf("other texts: %v", err)
	}
	for name, change := range map[string]func(*Options){
		"threads": func(o *Options) { o.Threads = 2 },
		"rate":    func(o *Options) { o.Method.Rate *= 2 },
	} {
		changed := o
		change(&changed)
		if _, err := New(changed); err == nil || !strings.Contains(err.Error(), "other options") {
			t.Errorf("other %s: %v", name, err)
		}
	}
	o.Anew = true
	r := newRun(t, o)
	if r.Step != 0 {
		t.Errorf("anew begins after step %d", r.Step)
	}
	if err := r.Train(context.Background(), load(t, other, Train)); err != nil {
		t.Error(err)
	}
}

// TestOddTexts tests few lines, one long line, and UTF-16 with a byte order mark. Files that are
// not text give an error.
func TestOddTexts(t *testing.T) {
	words := strings.Repeat("The old woman sat by the river and counted her geese. ", 400)
	utf16 := []byte{0xff, 0xfe}
	for _, c := range []byte(words) {
		utf16 = append(utf16, c, 0)
	}
	for name, c := range map[string]struct {
		data []byte
		want string // in the error; empty: the text is read
	}{
		"one line":            {[]byte(words), ""},
		"a line over one MiB": {[]byte(strings.Repeat(words, 50)), ""},
		"few lines":           {[]byte(strings.Repeat(words[:2000]+"\n", 12)), ""},
		"UTF-16":              {utf16, ""},
		"UTF-16, no mark":     {utf16[2:], "NUL bytes"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.txt"), c.data, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, split := range []Split{Train, Valid} {
			corpus, err := Load(dir, split, load(t, writeData(t), Train).Vocab, 64)
			switch {
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%s, %s: %v, not %q", name, split, err, c.want)
			case c.want == "" && err != nil:
				t.Errorf("%s, %s: %v", name, split, err)
			case c.want == "" && split == Train && corpus.streams[0].ids[0] != corpus.Vocab.EncodeIDs("the")[0]:
				t.Errorf("%s begins with %q", name, corpus.Vocab.Piece(corpus.streams[0].ids[0]))
			}
		}
	}
}
