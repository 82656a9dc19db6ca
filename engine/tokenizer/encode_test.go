package tokenizer

import (
	"strings"
	"testing"
	"time"
)

// small returns a vocabulary with a few pieces, so that the splits below can be checked by eye.
func small(t testing.TB) *Vocabulary {
	return vocabularyOf(t, "a", "b", "e", "i", "k", "n", "##a", "##b", "##e", "##n", "the", "un", "##able", "##ab",
		"ba", "##nan",
		"#", ".", "'", "-", "[", "]", "1", ",", "猫", "😂", "\u0301", "##\u0301", "##é")
}

func TestEncode(t *testing.T) {
	v := small(t)
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"only space", " \n\t\u3000\u00a0", ""},
		{"whole word", "the", "the"},
		{"capitals", "THE", "the"},
		{"longest first", "unable", "un ##able"},
		{"greedy, then what fits", "banana", "ba ##nan ##a"},
		{"unknown letter inside a word", "theü", "the <C3> <BC>"},
		{"a word goes on behind bytes", "aüab", "a <C3> <BC> ##ab"},
		{"unknown letter at the start", "üab", "<C3> <BC> ##ab"},
		{"case of an unknown letter", "ÜЖ", "<C3> <BC> <D0> <B6>"},
		{"digits stand alone", "11a", "1 1 a"},
		{"punctuation ends a word", "a.b'a-b", "a . b ' a - b"},
		{"unknown punctuation", "a?b", "a <3F> b"},
		{"hash signs are no continuation", "##a # ##", "# # a # # #"},
		{"Han", "猫猫a猫", "猫 猫 a 猫"},
		{"unknown Han", "垫猫", "<E5> <9E> <AB> 猫"},
		{"full width", "ＴＨＥ，１", "the , 1"},
		{"curly apostrophe", "a’b", "a ' b"},
		{"Kelvin and Turkish I", "\u212a İ", "k i"},
		{"lower case is longer, as sent", "Ⱥ", "<C8> <BA>"},
		{"lower case is shorter, as sent", "ẞ", "<E1> <BA> <9E>"},
		{"accent in a word", "e\u0301a", "e ##\u0301 ##a"},
		{"accent alone", "\u0301a 1\u0301", "\u0301 a 1 \u0301"},
		{"unknown mark in a word", "e\u0308a", "e <CC> <88> ##a"},
		{"continuation only inside", "é aé", "<C3> <A9> a ##é"},
		{"emoji", "a😂b", "a 😂 b"},
		{"joiner", "😂\u200d😂", "😂 <E2> <80> <8D> 😂"},
		{"Hebrew", "שב", "<D7> <A9> <D7> <91>"},
		{"Arabic with a comma", "،ب", "<D8> <8C> <D8> <A8>"},
		{"NUL and DEL", "a\x00b\x7f", "a <00> b <7F>"},
		{"not UTF-8", "a\xffb\xc3", "a <FF> b <C3>"},
		{"cut off", "\xe7\x8ca", "<E7> <8C> a"},
		{"surrogate", "\xed\xa0\x80", "<ED> <A0> <80>"},
		{"overlong", "\xc0\x80", "<C0> <80>"},
		{"replacement character", "\ufffd", "<EF> <BF> <BD>"},
		{"written mask", "a[MASK]b [MASK]", "a [MASK] b [MASK]"},
		{"no other special", "[CLS] [mask]", "[ <63> <6C> <73> ] [ <6D> ##a <73> <6B> ]"},
		{"zero-width space", "a\u200bb", "a <E2> <80> <8B> b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(v.Pieces(c.text), " "); got != c.want {
				t.Errorf("%q: got %s, want %s", c.text, got, c.want)
			}
			if err := checkTokens(v, c.text, v.Encode(c.text)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOffsetsAreOfTheTextAsSent(t *testing.T) {
	v := Default()
	text := "\u212a\u3000Ｔｈｅ猫İé"
	want := []Token{
		{ID: 2, Piece: "[CLS]", Text: "[CLS]", Start: 0, End: 0},
		{ID: 0, Piece: "k", Text: "\u212a", Start: 0, End: 3},
		{ID: 0, Piece: "the", Text: "Ｔｈｅ", Start: 6, End: 15},
		{ID: 0, Piece: "猫", Text: "猫", Start: 15, End: 18},
		{ID: 0, Piece: "i", Text: "İ", Start: 18, End: 20},
		{ID: 0, Piece: "##é", Text: "é", Start: 20, End: 22},
		{ID: 3, Piece: "[SEP]", Text: "[SEP]", Start: 22, End: 22},
	}
	got := v.Encode(text)
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i, w := range want {
		if w.ID == 0 {
			w.ID, _ = v.ID(w.Piece)
		}
		if got[i] != w {
			t.Errorf("token %d: got %+v, want %+v", i, got[i], w)
		}
	}
}

// TestBrokenBytesAreNotTheReplacementCharacter: a piece for U+FFFD must not match invalid bytes
// that decode to it.
func TestBrokenBytesAreNotTheReplacementCharacter(t *testing.T) {
	v := vocabularyOf(t, "a", "\ufffd")
	if got := strings.Join(v.Pieces("a\xff\ufffd"), " "); got != "a <FF> \ufffd" {
		t.Errorf("got %s", got)
	}
}

// TestLatinWordsNeedNoBytes: known pieces need no bytes, in any mixture.
func TestLatinWordsNeedNoBytes(t *testing.T) {
	v := Default()
	for _, text := range []string{
		"Zyzzyva qxjkvw Straße façade Ærøskøbing þórr naïveté piñata",
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz !\"#$%&'()*+,-./0123456789:;<=>?@[\\]^_`{|}~",
	} {
		for _, tok := range v.Encode(text) {
			if v.IsByte(tok.ID) {
				t.Errorf("%q: %+v", text, tok)
			}
		}
	}
}

func TestCells(t *testing.T) {
	v := small(t)
	text := "a垫\xff\xe7猫"
	want := []Cell{{0, 1, 0, 0}, {1, 2, 0, 1}, {2, 5, 1, 4}, {5, 6, 4, 5}, {6, 7, 5, 6}, {7, 8, 6, 9}, {8, 9, 9, 9}}
	got := v.Cells(text, v.Encode(text))
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("cell %d: got %v, want %v", i, got[i], want[i])
		}
	}
}

// TestLongTextsTakeLinearTime: a walk along a word is limited by the longest piece, so twice the
// text takes about twice the time. The bound is loose because the machine also runs other programs.
// An algorithm that is quadratic in the word takes minutes here.
func TestLongTextsTakeLinearTime(t *testing.T) {
	v := Default()
	for name, text := range map[string]string{
		"one word of a": strings.Repeat("a", 1<<20),
		"one word":      strings.Repeat("internationalization", 50_000),
		"accents":       "e" + strings.Repeat("\u0301", 500_000),
		"bytes":         strings.Repeat("\xff", 1<<20),
		"Han":           strings.Repeat("垫猫", 100_000),
		"brackets":      strings.Repeat("[MASK", 200_000),
	} {
		start := time.Now()
		tokens := v.Encode(text)
		if d := time.Since(start); d > time.Minute {
			t.Errorf("%s: %v for %d bytes", name, d, len(text))
		}
		if err := checkTokens(v, text, tokens); err != nil {
			t.Errorf("%s: %.200s", name, err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	v := Default()
	text := strings.Repeat("The Time Traveller (for so it will be convenient to speak of him) was expounding a recondite matter to us. ", 1000)
	b.Run("tokens", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			v.Encode(text)
		}
	})
	b.Run("ids", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		var ids []int
		for b.Loop() {
			ids = v.AppendIDs(ids[:0], text)
		}
	})
}
