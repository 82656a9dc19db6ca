package tokenizer

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestDefaultVocabulary(t *testing.T) {
	v := Default()
	if v.Size() != 5632 {
		t.Errorf("size %d; the shipped weights have 5632 rows", v.Size())
	}
	han := 0
	for id := FirstLearned; id < v.Size(); id++ {
		if isHan([]rune(v.Piece(id))[0]) {
			han++
		}
	}
	if han < 1000 || han > 1010 {
		t.Errorf("%d Han characters", han)
	}
	_, opt := Recipe("")
	for _, w := range append(opt.Words, strings.Fields("film boring rice trophy weather the of is")...) {
		if got := v.Pieces(w); !slices.Equal(got, []string{w}) {
			t.Errorf("%q is cut into %q", w, got)
		}
	}
	for id := range v.Size() {
		if got, ok := v.ID(v.Piece(id)); !ok || got != id {
			t.Fatalf("piece %d %q has id %d", id, v.Piece(id), got)
		}
	}
}

// TestReference compares with the Rust library tokenizers on our vocabulary, where its definition
// and ours agree. The file states how it was made.
func TestReference(t *testing.T) {
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref struct {
		Provenance struct {
			Vocabulary string `json:"vocabulary_sha256"`
		}
		Cases []struct {
			Text    string
			Pieces  []string
			IDs     []int
			Offsets [][2]int
		}
	}
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(vocabFile))); sum != ref.Provenance.Vocabulary {
		t.Fatal("vocab.txt has changed since the reference was made; make it anew")
	}
	if len(ref.Cases) < 100 {
		t.Fatalf("%d cases", len(ref.Cases))
	}
	v := Default()
	for _, c := range ref.Cases {
		var pieces []string
		var ids []int
		var offsets [][2]int
		for _, tok := range v.Encode(c.Text) {
			pieces = append(pieces, tok.Piece)
			ids = append(ids, tok.ID)
			offsets = append(offsets, [2]int{tok.Start, tok.End})
		}
		if !slices.Equal(pieces, c.Pieces) || !slices.Equal(ids, c.IDs) {
			t.Errorf("%.80q\ngot  %q\nwant %q", c.Text, pieces, c.Pieces)
		}
		// The text begins with [CLS] in both, at (0,0).
		if !slices.Equal(offsets, c.Offsets) {
			t.Errorf("%.80q\ngot  %v\nwant %v", c.Text, offsets, c.Offsets)
		}
	}
}

// corpusDir returns the folder of the training data, which are not part of the module.
func corpusDir(t *testing.T) string {
	dir := os.Getenv("ATTNATLAS_DATA")
	if dir == "" {
		t.Skip("ATTNATLAS_DATA does not name the folder of the training data")
	}
	return dir
}

func TestRecipeReproducesTheVocabulary(t *testing.T) {
	v, err := TrainFiles(Recipe(corpusDir(t)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := v.Save(&b); err != nil {
		t.Fatal(err)
	}
	if b.String() != vocabFile {
		t.Error("vocab.txt is not what the recipe gives")
	}
}

// TestPiecesPerWord: the test splits need about 1.5 pieces per word of a story. The bounds are the
// values measured when the vocabulary was made, plus 0.02.
func TestPiecesPerWord(t *testing.T) {
	dir := corpusDir(t)
	v := Default()
	for file, most := range map[string]float64{
		"stories/test.txt": 1.55, "everyday/test.txt": 1.57, "intents/test.tsv": 1.25, "feelings/test.tsv": 1.52,
	} {
		f, err := os.Open(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		pieces, words, bytes := 0, 0, 0
		for lines := bufio.NewScanner(f); lines.Scan(); {
			text := lines.Text()
			text = text[strings.LastIndexByte(text, '\t')+1:]
			words += len(strings.Fields(text))
			for _, id := range v.EncodeIDs(text) {
				pieces++
				if v.IsByte(id) {
					bytes++
				}
			}
		}
		rate := float64(pieces) / float64(words)
		t.Logf("%s: %.3f pieces per word, %.2f %% bytes", file, rate, 100*float64(bytes)/float64(pieces))
		if rate > most || words == 0 {
			t.Errorf("%s: %.3f pieces per word, want at most %.2f", file, rate, most)
		}
	}
}
