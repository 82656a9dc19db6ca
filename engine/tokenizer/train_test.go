package tokenizer

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// trainTexts learns a vocabulary from texts. Equal corpora and options give equal vocabularies,
// piece for piece.
func trainTexts(corpus []string, opt TrainOptions) (*Vocabulary, error) {
	c := newCensus()
	for _, text := range corpus {
		c.add(text, 1)
	}
	return c.train(opt)
}

func train(t testing.TB, opt TrainOptions, texts ...string) *Vocabulary {
	t.Helper()
	v, err := trainTexts(texts, opt)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// floor returns the number of pieces in a vocabulary before learning.
func floor(t testing.TB) int {
	t.Helper()
	return train(t, TrainOptions{Size: 1000}).Size()
}

// TestTrainMergesTheMostFrequentPair is the example of Sennrich et al. 2016, with counts that leave
// no ties.
func TestTrainMergesTheMostFrequentPair(t *testing.T) {
	var texts []string
	for word, n := range map[string]int{"low": 5, "lower": 2, "newest": 6, "widest": 3} {
		texts = append(texts, strings.Repeat(word+" ", n))
	}
	n := floor(t)
	v := train(t, TrainOptions{Size: n + 4}, texts...)
	// Computed by hand: ##e ##s and ##s ##t 9 each, the older letter first; then ##es ##t 9; then l ##o and lo ##w 7.
	got := v.pieces[n:]
	if want := []string{"##es", "##est", "lo", "low"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTrainNeverMergesAcrossPreTokens(t *testing.T) {
	v := train(t, TrainOptions{Size: 1000}, strings.Repeat("a-b a1 a'b 猫a a猫 的的 ", 50))
	for _, p := range v.pieces[floor(t):] {
		t.Errorf("learned %q", p)
	}
}

// optionText has each kind of character, with different counts.
var optionText = strings.Repeat("hello ", 10) + strings.Repeat("的", 9) + strings.Repeat("一",
	8) + "猫 ж — \ufe0f ⠿ q\u0301"

func TestTrainKeepsSizeWordsAndHan(t *testing.T) {
	n := floor(t)
	for _, c := range []struct {
		name string
		opt  TrainOptions
		want string // after the characters that are always there
	}{
		{"merges fill the room", TrainOptions{Size: n + 5, MinCount: 2, Han: 2}, "he ##ll hell 的 一"},
		{"words take room", TrainOptions{Size: n + 5, MinCount: 2, Words: []string{"zoo", "猫", "trophy"}},
			"he ##ll trophy zoo 猫"},
		{"a word that is merged takes none", TrainOptions{Size: n + 5, MinCount: 2, Words: []string{"zoo", "he"}},
			"he ##ll hell hello zoo"},
		{"a word that is known takes none", TrainOptions{Size: n + 2, MinCount: 2, Han: 1,
			Words: []string{"a", "的"}}, "he 的"},
		{"more Han than there are", TrainOptions{Size: n + 4, MinCount: 11, Han: 50}, "的 一 猫"},
		{"nothing is frequent", TrainOptions{Size: n + 50, MinCount: 11}, ""},
	} {
		v := train(t, c.opt, optionText)
		if got := strings.Join(v.pieces[n:], " "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTrainChoosesCharacters(t *testing.T) {
	v := train(t, TrainOptions{Size: 1000}, optionText)
	for piece, want := range map[string]bool{
		"ж": true, "##ж": true, "—": true, "\ufe0f": false, "⠿": false, "猫": false, "hello": true, "ÿ": true, "##ß": true,
		"\u0301": false, "##\u0301": true,
	} {
		if _, ok := v.ID(piece); ok != want {
			t.Errorf("piece %q: %v, want %v", piece, ok, want)
		}
	}
}

func TestTrainErrors(t *testing.T) {
	for want, opt := range map[string]TrainOptions{
		"too few":               {Size: 300},
		`word “The”`:            {Size: 1000, Words: []string{"The"}},
		`word “new york”`:       {Size: 1000, Words: []string{"new york"}},
		`word “a1” has several`: {Size: 1000, Words: []string{"a1"}},
	} {
		if _, err := trainTexts([]string{"abc"}, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want …%s…", err, want)
		}
	}
}

// naive is byte-pair encoding as printed in the paper: it counts all pairs again for each merge.
func naive(words map[string]int, alphabet []string, minCount, merges int) []string {
	m := newMerger(words, alphabet)
	var out []string
	for len(out) < merges {
		counts := make(map[pair]int)
		for _, w := range m.words {
			for i := 1; i < len(w.symbols); i++ {
				if w.symbols[i-1] != gap && w.symbols[i] != gap {
					counts[pair{w.symbols[i-1], w.symbols[i]}] += w.count
				}
			}
		}
		var q pairQueue
		for p, n := range counts {
			q = append(q, queued{p, n})
		}
		if len(q) == 0 {
			break
		}
		best := 0
		for i := range q {
			if q.Less(i, best) {
				best = i
			}
		}
		if q[best].count < minCount {
			break
		}
		left, right := q[best].pair.left, q[best].pair.right
		piece := m.symbols[left] + strings.TrimPrefix(m.symbols[right], "##")
		joined := m.symbol(piece)
		for k, w := range m.words {
			var s []int32
			for i := 0; i < len(w.symbols); i++ {
				if i+1 < len(w.symbols) && w.symbols[i] == left && w.symbols[i+1] == right {
					s = append(s, joined)
					i++
				} else {
					s = append(s, w.symbols[i])
				}
			}
			m.words[k].symbols = s
		}
		out = append(out, piece)
	}
	return out
}

func TestMergerAgreesWithCountingAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.MapOfN(rapid.StringMatching(`([abcx]|ab|bc|abc){1,7}`), rapid.IntRange(1, 6), 1, 15).Draw(t, "words")
		minCount := rapid.IntRange(1, 4).Draw(t, "minCount")
		alphabet := []string{"a", "b", "c", "##a", "##b", "##c"} // x is a gap
		want := naive(maps.Clone(words), alphabet, minCount, 40)
		m := newMerger(words, alphabet)
		var got []string
		for len(got) < 40 {
			p, ok := m.merge(minCount)
			if !ok {
				break
			}
			got = append(got, p)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

// TestTrainMakesEachPieceOnce: merges run in the same order everywhere. So no letters are split in
// two ways, such as a ##bc and ab ##c, and no piece occurs twice.
func TestTrainMakesEachPieceOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`([ab]|ab|aab){1,5}`), 1, 20).Draw(t, "words")
		v, err := trainTexts(words, TrainOptions{Size: 5000})
		if err != nil {
			t.Fatal(err)
		}
		for id, p := range v.pieces {
			if got, _ := v.ID(p); got != id {
				t.Fatalf("%q is piece %d and %d", p, id, got)
			}
		}
		for _, w := range words {
			if _, ok := v.ID(w); !ok {
				t.Fatalf("%q did not become one piece", w)
			}
		}
	})
}

// TestTrainedVocabulary: training gives a sound vocabulary, the same every time.
func TestTrainedVocabulary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		corpus := rapid.SliceOfN(texts(), 0, 6).Draw(t, "corpus")
		v, err := trainTexts(corpus, TrainOptions{Size: 600, Han: 3})
		if err != nil {
			t.Fatal(err)
		}
		var b, again bytes.Buffer
		if err := v.Save(&b); err != nil {
			t.Fatal(err)
		}
		sound(t, v)
		second, _ := trainTexts(corpus, TrainOptions{Size: 600, Han: 3})
		second.Save(&again)
		if again.String() != b.String() {
			t.Fatal("two trainings differ")
		}
	})
}

func TestTrainFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := write("plain.txt", "hello hello\nworld\n")
	columns := write("columns.tsv", "label\tother\tgoodbye\n")
	opt := TrainOptions{Size: 1000, MinCount: 3}
	v, err := TrainFiles([]CorpusFile{{Path: plain}, {Path: columns, Weight: 3}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	for piece, want := range map[string]bool{"goodbye": true, "hello": false, "label": false} {
		if _, ok := v.ID(piece); ok != want {
			t.Errorf("piece %q: %v, want %v", piece, ok, want)
		}
	}
	if _, err := TrainFiles([]CorpusFile{{Path: filepath.Join(dir, "none")}}, opt); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}
