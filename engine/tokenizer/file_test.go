package tokenizer

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestEmbeddedVocabulary(t *testing.T) {
	var b bytes.Buffer
	if err := Default().Save(&b); err != nil || b.String() != vocabFile {
		t.Errorf("the saved vocabulary is not the embedded file: %v", err)
	}
	sound(t, Default())
}

func TestParsedVocabulary(t *testing.T) {
	v, err := Parse(vocabFile)
	if err != nil || v.Size() != Default().Size() || v.Piece(FirstLearned) != Default().Piece(FirstLearned) {
		t.Fatalf("the embedded file is not read: %v", err)
	}
	for text, want := range map[string]string{
		"":                                       "its first 261 lines",
		vocabFile[1:]:                            "its first 261 lines",
		vocabFile + "The\n":                      "folded form",
		vocabFile + v.Piece(FirstLearned) + "\n": "twice",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a file of %d bytes: %v, want …%s…", len(text), err, want)
		}
	}
}

func TestLearnedPieces(t *testing.T) {
	for _, c := range []struct{ name, piece, want string }{
		{"empty", "", "empty line"},
		{"special again", "[PAD]", `“[PAD]” is not in folded form`},
		{"in brackets", "[pad]", `“[pad]” has several characters`},
		{"capital", "The", `“The” is not in folded form: “T” must be “t”`},
		{"full width", "ａ", "not in folded form"},
		{"space", "a b", "white space"},
		{"control character", "\x00", "control character"},
		{"not UTF-8", "a\xff", "is not UTF-8"},
		{"two punctuation marks", "...", `“.” is not a letter`},
		{"letters and a digit", "a1", `“1” is not a letter`},
		{"Han in a word", "a猫", `“猫” is not a letter`},
		{"two Han", "小猫", `“小” is not a letter`},
		{"mark in front", "\u0301a", "is not a letter"},
		{"continuation of nothing", "##", "must continue a word"},
		{"continuing digit", "##1", `“1” is not a letter`},
		{"old Mac", "a\rb", "white space"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := checkLearned(c.piece); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want …%s…", err, c.want)
			}
		})
	}
	for _, good := range []string{"a", "##a", "#", "##\u0301"} {
		if err := checkLearned(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

func TestSavePassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	if err := Default().Save(brokenWriter{broken}); !errors.Is(err, broken) {
		t.Errorf("save: %v", err)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }
