package guests

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/huggingface"
)

// attended returns the results of Attend: a description, and the values of each map by its part and layer.
func attended(t *testing.T, in engine.AttendInput) (of engine.Attended, maps map[string][]float32, err error) {
	t.Helper()
	maps = map[string][]float32{}
	err = engine.New().Attend(t.Context(), in, engine.AttendOutput{
		Begin: func(a engine.Attended) error { of = a; return nil },
		Layer: func(l engine.AttendedLayer) error {
			var all []float32
			for _, x := range l.Weights.Data {
				all = append(all, float32(x))
			}
			maps[fmt.Sprint(l.Part, l.Number)] = all
			return nil
		},
	})
	return of, maps, err
}

// whole returns ids as ints.
func whole(ids []int64) (all []int) {
	for _, id := range ids {
		all = append(all, int(id))
	}
	return all
}

// TestAttend: Attend returns the attention that Inspect reports, for a pair of texts and for the encoder of an
// encoder–decoder. The ids and token types of a pair give the same.
func TestAttend(t *testing.T) {
	bert := withTokenizer(t, "../huggingface/testdata/bert-classify", pieces(360))
	for dir, text := range map[string]string{bert: "the cat sat ||| the dog", small: "The cat sat."} {
		guest := Invite(huggingface.Given([]string{dir}))[0]
		rep, err := engine.New().Inspect(t.Context(), engine.Request{Text: text, Mechanisms: []string{guest.ID}})
		if err != nil || rep.Mechanisms[0].Err != nil {
			t.Fatal(err, rep.Mechanisms[0].Err)
		}
		visit, err := guest.Open()
		if err != nil {
			t.Fatal(err)
		}
		tokens, segments, err := visit.Words.Tokens(text)
		if err != nil {
			t.Fatal(err)
		}
		ids := visit.Words.IDs(tokens)
		for _, in := range []engine.AttendInput{{ID: guest.ID, Text: text}, {ID: guest.ID, IDs: ids, Types: segments}} {
			of, maps, err := attended(t, in)
			if err != nil || len(maps) != 2 || len(of.Tokens) != len(rep.Tokens) || len(of.Parts) != 1 ||
				of.Parts[0].Layers != 2 || of.Parts[0].Heads != 3 || of.Operations <= 0 {
				t.Fatalf("%s: %+v, %v", dir, of, err)
			}
			for number, layer := range rep.Mechanisms[0].Layers {
				if want, _ := layer.Find("weights"); !slices.Equal(maps[fmt.Sprint(number+1)], want.Value.Data) {
					t.Errorf("%s, %v: layer %d is not that of Inspect", dir, in, number+1)
				}
			}
		}
		_, same, err := attended(t, engine.AttendInput{ID: guest.ID, IDs: ids, Types: make([]int, len(ids))})
		if want, _ := rep.Mechanisms[0].Layers[1].Find("weights"); err != nil ||
			slices.Equal(same["2"], want.Value.Data) != (segments == nil) {
			t.Errorf("%s: the types change nothing, or all; %v", dir, err)
		}
		for _, wrong := range [][]int{{0}, append(make([]int, len(ids)-1), 2), append(make([]int, len(ids)-1), -1)} {
			if _, maps, err := attended(t, engine.AttendInput{ID: guest.ID, IDs: ids, Types: wrong}); err == nil ||
				len(maps) > 0 {
				t.Errorf("%s answers for the types %v", dir, wrong)
			}
		}
	}
}

// TestAttendDecoder: for an encoder–decoder, Attend returns the library's attention of the encoder, of the decoder,
// and of the decoder to the encoder. A text for the decoder is shifted right.
func TestAttendDecoder(t *testing.T) {
	for _, name := range []string{"t5", "bart", "marian"} {
		dir := "../huggingface/testdata/" + name
		raw, err := os.ReadFile(dir + huggingface.ExpectedSuffix)
		if err != nil {
			t.Fatal(err)
		}
		want, err := checkpoint.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if name != "t5" {
			dir = withTokenizer(t, dir, pieces(300))
		}
		guest := Invite(huggingface.Given([]string{dir}))[0]
		in := engine.AttendInput{ID: guest.ID, IDs: whole(want.Ints["ids.0"].Data), DecoderIDs: whole(want.Ints["dec_ids.0"].Data)}
		of, maps, err := attended(t, in)
		if err != nil || len(of.Parts) != 3 || len(of.Decoder) != len(in.DecoderIDs) {
			t.Fatalf("%s: %+v, %v", name, of, err)
		}
		compared := 0
		for part, golden := range map[string]string{engine.EncoderAttentions: "attn", engine.DecoderAttentions: "dec_attn",
			engine.CrossAttentions: "cross"} {
			for layer := 1; want.Arrays[fmt.Sprintf("%s.0.%d", golden, layer)] != nil; layer++ {
				got, worst := maps[fmt.Sprint(part, layer)], 0.0
				for i, w := range want.Arrays[fmt.Sprintf("%s.0.%d", golden, layer)].Data {
					worst = max(worst, math.Abs(float64(got[i])-float64(w)))
				}
				if compared++; worst > 1e-5 {
					t.Errorf("%s: %s of layer %d are %g away", name, part, layer, worst)
				}
			}
		}
		if compared != 6 || len(maps) != 6 {
			t.Errorf("%s: %d of %d maps are compared", name, compared, len(maps))
		}
		for _, wrong := range []int{-1, 1 << 20} {
			in.DecoderIDs = []int{wrong}
			if _, _, err := attended(t, in); err == nil {
				t.Errorf("%s reads the token %d", name, wrong)
			}
		}
	}
	guest := Invite(huggingface.Given([]string{small}))[0]
	visit, err := guest.Open()
	if err != nil {
		t.Fatal(err)
	}
	tokens, _, _ := visit.Words.Tokens("It was tired.")
	ids := visit.Words.IDs(tokens)
	ids = append([]int{visit.Target.Start}, ids[:len(ids)-1]...)
	_, byText, err := attended(t, engine.AttendInput{ID: guest.ID, Text: "The cat sat.", DecoderText: "It was tired."})
	_, byIDs, other := attended(t, engine.AttendInput{ID: guest.ID, Text: "The cat sat.", DecoderIDs: ids})
	if err != nil || other != nil || len(byText) != 6 || !slices.Equal(byText["cross_attentions2"], byIDs["cross_attentions2"]) {
		t.Errorf("a text is not shifted right: %v, %v", err, other)
	}
}
