package tokenizer

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestSaveAndLoad(t *testing.T) {
	var b bytes.Buffer
	if err := Default().Save(&b); err != nil {
		t.Fatal(err)
	}
	if b.String() != vocabFile {
		t.Error("the saved vocabulary is not the loaded file")
	}
	if v, err := Load(&b); err != nil || !slices.Equal(v.pieces, Default().pieces) {
		t.Errorf("the embedded vocabulary: %v", err)
	}
}

func TestLoadNamesTheLine(t *testing.T) {
	fixed := fixedPieces()
	with := func(learned ...string) []string { return slices.Concat(fixed, learned) }
	swapped := slices.Clone(fixed)
	swapped[3], swapped[4] = swapped[4], swapped[3]
	lower := slices.Clone(fixed)
	lower[FirstByte+0xE7] = "<e7>"
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"no file", nil, "line 1: the file ends"},
		{"too short", fixed[:100], "line 101: the file ends"},
		{"specials in another order", swapped, `line 4: got "[MASK]", want "[SEP]"`},
		{"bytes in lower case", lower, `line 237: got "<e7>", want "<E7>"`},
		{"byte order mark", append([]string{"\ufeff[PAD]"}, fixed[1:]...), "line 1: got"},
		{"empty line", with("a", "", "b"), "line 263: empty line"},
		{"twice", with("a", "b", "a"), `line 264: "a" is already on line 262`},
		{"special again", with("[PAD]"), `line 262: "[PAD]" is not in folded form`},
		{"in brackets", with("[pad]"), `line 262: "[pad]" has several characters`},
		{"capital", with("The"), `line 262: "The" is not in folded form: 'T' should be 't'`},
		{"full width", with("ａ"), "not in folded form"},
		{"space", with("a b"), "white space"},
		{"control character", with("\x00"), "control character"},
		{"not UTF-8", with("a\xff"), "is not UTF-8"},
		{"two punctuation marks", with("..."), `'.' is none`},
		{"letters and a digit", with("a1"), `'1' is none`},
		{"Han in a word", with("a猫"), `'猫' is none`},
		{"two Han", with("小猫"), `'小' is none`},
		{"mark in front", with("\u0301a"), "is none"},
		{"continuation of nothing", with("##"), "continues nothing"},
		{"continuing digit", with("##1"), `'1' is none`},
		{"old Mac", with("a\rb"), "white space"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load(strings.NewReader(strings.Join(c.lines, "\n")))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want …%s…", err, c.want)
			}
		})
	}
	if _, err := Load(strings.NewReader(strings.Join(with("a", "##a", "#", "##\u0301"), "\n"))); err != nil {
		t.Errorf("a good file: %v", err)
	}
}

func TestLoadAndSavePassErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	if _, err := Load(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("load: %v", err)
	}
	if err := Default().Save(brokenWriter{broken}); !errors.Is(err, broken) {
		t.Errorf("save: %v", err)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }
