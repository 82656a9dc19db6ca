package tokenizer

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestTokensCoverAnyText(t *testing.T) {
	v := Default()
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		if err := checkTokens(v, text, v.Encode(text)); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzEncode(f *testing.F) {
	for _, s := range trickyParts {
		f.Add(s)
		f.Add("a" + s + "b " + s)
	}
	v := Default()
	f.Fuzz(func(t *testing.T, text string) {
		tokens := v.Encode(text)
		if err := checkTokens(v, text, tokens); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(tokens, v.Encode(text)) {
			t.Fatal("two runs differ")
		}
		if got, want := unspaced(v.Decode(idsOf(tokens))), normal(v, text); got != want {
			t.Fatalf("decoded %q, want %q", got, want)
		}
		cells := v.Cells(text, tokens)
		if cells[len(cells)-1].Last != len(tokens) {
			t.Fatalf("cells end with %#v, there are %d tokens", cells[len(cells)-1], len(tokens))
		}
	})
}

// FuzzLearned: every piece that checkLearned accepts can be encoded.
func FuzzLearned(f *testing.F) {
	f.Add(vocabFile[:3000])
	f.Add("[PAD]\n[UNK]\n")
	f.Fuzz(func(t *testing.T, learned string) {
		pieces := fixedPieces()
		for piece := range strings.SplitSeq(learned, "\n") {
			if checkLearned(piece) == nil && !slices.Contains(pieces, piece) {
				pieces = append(pieces, piece)
			}
		}
		sound(t, newVocabulary(pieces))
	})
}

// sound fails unless special tokens and bytes have their expected ids, and each learned piece is
// unique and can be encoded. A shift by one line would make a model useless.
func sound(t rapid.TB, v *Vocabulary) {
	t.Helper()
	if !slices.Equal(v.pieces[:FirstLearned], fixedPieces()) {
		t.Fatal("specials and bytes stand elsewhere")
	}
	for id, piece := range v.pieces[FirstLearned:] {
		if err := checkLearned(piece); err != nil || v.ids[piece] != FirstLearned+id {
			t.Fatalf("piece %q: %v, or twice", piece, err)
		}
		if _, inside := cutContinuation(piece); !inside && !slices.Equal(v.EncodeIDs(piece), []int{FirstLearned + id}) {
			t.Fatalf("piece %q encodes to %q", piece, v.Pieces(piece))
		}
	}
}

func idsOf(tokens []Token) []int {
	ids := make([]int, len(tokens))
	for i, t := range tokens {
		ids[i] = t.ID
	}
	return ids
}

// unspaced removes the spaces that Decode adds. It removes only U+0020, because separate bytes can
// form another space.
func unspaced(s string) string { return strings.ReplaceAll(s, " ", "") }

// normal returns the expected result of Decode without spaces: folded, except for masks and for
// characters without a piece whose folded form has another length.
func normal(v *Vocabulary, text string) string {
	var b strings.Builder
	for i, part := range strings.Split(text, "[MASK]") {
		if i > 0 {
			b.WriteString("[MASK]")
		}
		for len(part) > 0 {
			r, size := utf8.DecodeRuneInString(part)
			sent := part[:size]
			part = part[size:]
			bare := folded(sent)
			_, first := v.ID(bare)
			_, inside := v.ID("##" + bare)
			switch {
			case unicode.IsSpace(r):
			case len(bare) == len(sent) || first || inside:
				b.WriteString(bare)
			default:
				b.WriteString(sent)
			}
		}
	}
	return b.String()
}

func TestDecodeGivesFoldedTextBack(t *testing.T) {
	v := Default()
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		if got, want := unspaced(v.Decode(v.EncodeIDs(text))), normal(v, text); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func TestIDsAndPiecesAgreeWithEncode(t *testing.T) {
	v := Default()
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		tokens := v.Encode(text)
		inner := idsOf(tokens[1 : len(tokens)-1])
		if got := v.EncodeIDs(text); !slices.Equal(got, inner) {
			t.Fatalf("EncodeIDs %v, Encode %v", got, inner)
		}
		if got := v.AppendIDs([]int{7}, text); !slices.Equal(got, append([]int{7}, inner...)) {
			t.Fatalf("AppendIDs %v, Encode %v", got, inner)
		}
		for i, p := range v.Pieces(text) {
			if p != tokens[i+1].Piece {
				t.Fatalf("piece %d is %q, Encode says %q", i, p, tokens[i+1].Piece)
			}
		}
	})
}

func TestCaseDoesNotMatter(t *testing.T) {
	v := Default()
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Filter(utf8.ValidString).Draw(t, "text")
		bare := folded(text)
		if folded(bare) != bare {
			t.Fatalf("folding %q twice gives %q", bare, folded(bare))
		}
		if strings.Contains(text, "[MASK]") || normal(v, text) != normal(v, bare) {
			return // excepted in doc.go
		}
		if got, want := v.Pieces(bare), v.Pieces(text); !slices.Equal(got, want) {
			t.Fatalf("bare %q, as sent %q", got, want)
		}
	})
}

// preToken is the definition of doc.go as a regular expression, for bare text.
var preToken = regexp.MustCompile(`\p{Han}|\p{L}[\p{L}\p{M}]*|[^\s\v\p{Z}\x{85}]`)

// oracle encodes valid UTF-8 in the simplest way: split by preToken, then look up every length from
// the longest down.
func oracle(v *Vocabulary, text string) []string {
	var out []string
	for _, word := range preToken.FindAllString(text, -1) {
		rest := []rune(word)
		for inside := false; len(rest) > 0; inside = true {
			piece, n := oracleMatch(v, rest, inside)
			if n > 0 {
				out = append(out, piece)
				rest = rest[n:]
				continue
			}
			for _, b := range []byte(string(rest[0])) {
				out = append(out, bytePiece(int(b)))
			}
			rest = rest[1:]
		}
	}
	return out
}

func oracleMatch(v *Vocabulary, rest []rune, inside bool) (piece string, n int) {
	for n := len(rest); n > 0; n-- {
		piece := string(rest[:n])
		if inside {
			piece = "##" + piece
		}
		if _, ok := v.ID(piece); ok {
			return piece, n
		}
	}
	return "", 0
}

func TestEncodeAgreesWithTheObviousWay(t *testing.T) {
	v := Default()
	// Han letters must not join a run; regexp has no look-ahead to express it.
	hanInRun := regexp.MustCompile(`\p{Han}`)
	rapid.Check(t, func(t *rapid.T) {
		text := folded(texts().Filter(utf8.ValidString).Draw(t, "text"))
		text = hanInRun.ReplaceAllString(text, " $0 ")
		if got, want := v.Pieces(text), oracle(v, text); !slices.Equal(got, want) {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	})
}

func TestConcurrentUse(t *testing.T) {
	text := strings.Join(trickyParts, " ")
	want := Default().Encode(text)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if !slices.Equal(Default().Encode(text), want) {
					t.Error("a concurrent run differs")
				}
			}
		})
	}
	wg.Wait()
}
