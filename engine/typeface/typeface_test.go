package typeface

import (
	"bytes"
	"testing"

	"github.com/go-text/typesetting/font"
)

// TestBlocks: a block draws its own characters like the whole font, and no others.
func TestBlocks(t *testing.T) {
	whole := font.NewFace(Chinese.Font())
	block, err := Chinese.Block(BlockOf('猫'))
	if err != nil {
		t.Fatal(err)
	}
	if len(block) > len(Chinese.TTF())/8 {
		t.Errorf("%d of %d bytes", len(block), len(Chinese.TTF()))
	}
	part, err := font.ParseTTF(bytes.NewReader(block))
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for _, c := range Chinese.Covers() {
		for r := c.First; r <= c.Last; r++ {
			g, _ := whole.NominalGlyph(r)
			want, _ := whole.GlyphDataOutline(g)
			got, _ := part.GlyphDataOutline(g)
			same := len(want.Segments) == len(got.Segments)
			for i := 0; same && i < len(want.Segments); i++ {
				same = want.Segments[i] == got.Segments[i]
			}
			switch inside := BlockOf(r) == BlockOf('猫'); {
			case inside && !same:
				t.Errorf("%c is drawn otherwise", r)
			case inside:
				drawn++
			}
		}
	}
	if far, _ := whole.NominalGlyph('一'); drawn < 50 {
		t.Errorf("%d characters", drawn)
	} else if o, _ := part.GlyphDataOutline(far); len(o.Segments) > 0 {
		t.Error("another block's character is drawn, too")
	}
	if checksum(block) != 0xB1B0AFBA {
		t.Errorf("the file's sum is %x", checksum(block))
	}
}

// TestDamagedFonts: truncated fonts are rejected, wherever they end.
func TestDamagedFonts(t *testing.T) {
	for n := 0; n < len(Chinese.TTF()); n += 1 + n/3 {
		f := *Chinese
		f.TTF = func() []byte { return Chinese.TTF()[:n] }
		if _, err := f.Block(BlockOf('猫')); err == nil {
			t.Errorf("%d bytes are taken for the whole", n)
		}
	}
}

// TestPagesCover: some face covers the characters that people type, and no face covers characters that all pages have.
func TestPagesCover(t *testing.T) {
	covered := func(r rune) bool {
		for _, f := range Pages() {
			for _, c := range f.Covers() {
				if c.First <= r && r <= c.Last {
					return true
				}
			}
		}
		return false
	}
	for _, r := range "猫坐在垫子上。日本語カタカナ한국어हिन्दीภาษาไทย🙂😂Жизньשלוםمرحبا" {
		if !covered(r) {
			t.Errorf("%c is in no face", r)
		}
	}
	for _, r := range "aé→∑" {
		if covered(r) {
			t.Errorf("%c is in the fonts of all pages", r)
		}
	}
}

// TestOnceAfterPanic: a file that could not be fetched is requested again, and an existing file is not.
func TestOnceAfterPanic(t *testing.T) {
	calls := 0
	get := once(func() *int {
		if calls++; calls == 1 {
			panic("there is no network")
		}
		return &calls
	})
	func() {
		defer func() { _ = recover() }()
		get()
	}()
	if got := *get(); got != 2 || get() != &calls || calls != 2 {
		t.Errorf("after an error: %d, and then %d calls", got, calls)
	}
}
