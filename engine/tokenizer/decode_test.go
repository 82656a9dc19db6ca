package tokenizer

import (
	"strings"
	"testing"
)

func TestDecodeReads(t *testing.T) {
	v := Default()
	for _, text := range []string{
		"the trophy did not fit, because it was (far) too big; was it? no!",
		`"where have you been?" asked the woman. "at the river," said he, "and i am cold."`,
		"don't say you'll go: i'm sure they've left at 3:30 for $5, or 3.14",
		"well-known names — and others [sic]",
		"小猫坐在垫子上,因为小猫很累。小狗也坐在地上。",
		"naïve dvořák, expounding recondite matter",
		"привет, łódka",
		"👨‍👩‍👧 and 🏳️‍🌈",
		"the [MASK] sat",
		"50% of it",
		"",
	} {
		if got := v.Decode(idsOf(v.Encode(text))); got != text {
			t.Errorf("got  %q\nwant %q", got, text)
		}
	}
}

func TestDecodeOfOddIDs(t *testing.T) {
	v := small(t)
	id := func(piece string) int {
		n, ok := v.ID(piece)
		if !ok {
			t.Fatalf("no piece %q", piece)
		}
		return n
	}
	for want, ids := range map[string][]int{
		"a":            {v.CLS(), id("a"), v.SEP(), v.PAD(), v.PAD()},
		"[MASK] [UNK]": {v.MASK(), v.UNK()},
		"ab":           {id("##a"), id("##b")},
		"\xe7":         {id("<E7>")},
		"猫":            {id("<E7>"), id("<8C>"), id("<AB>")},
		"":             nil,
	} {
		if got := v.Decode(ids); got != want {
			t.Errorf("%v: got %q, want %q", ids, got, want)
		}
	}
}

func TestPieceOutOfRangePanics(t *testing.T) {
	v := small(t)
	for _, id := range []int{-1, v.Size()} {
		func() {
			defer func() {
				if msg, _ := recover().(string); !strings.Contains(msg, "of a vocabulary of") {
					t.Errorf("piece %d: recovered %q", id, msg)
				}
			}()
			v.Piece(id)
		}()
	}
}

func TestKindsOfPieces(t *testing.T) {
	v := small(t)
	for piece, want := range map[string]string{
		"[PAD]": "special", "[MASK]": "special",
		"<00>": "byte start", "<7F>": "byte start", "<E7>": "byte start", "<80>": "byte continuation",
		"<BF>": "byte continuation",
		"the":  "start", "#": "start", "猫": "start", "1": "start", "##able": "continuation", "##\u0301": "continuation",
	} {
		id, ok := v.ID(piece)
		var got []string
		for name, is := range map[string]func(int) bool{"special": v.IsSpecial, "byte": v.IsByte} {
			if is(id) {
				got = append(got, name)
			}
		}
		if v.IsWordStart(id) {
			got = append(got, "start")
		}
		if v.IsContinuation(id) {
			got = append(got, "continuation")
		}
		if s := strings.Join(got, " "); !ok || s != want {
			t.Errorf("%s (%d, %v): got %q, want %q", piece, id, ok, s, want)
		}
	}
	if v.Size() != FirstLearned+29 || v.Piece(FirstByte) != "<00>" || v.Piece(FirstLearned) != "a" {
		t.Errorf("size %d, first byte %s, first learned %s", v.Size(), v.Piece(FirstByte), v.Piece(FirstLearned))
	}
}
