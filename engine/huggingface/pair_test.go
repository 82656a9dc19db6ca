package huggingface_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/huggingface"
	"attnatlas/engine/nn"
	"attnatlas/engine/tensor"
)

// expected reads the library's results for a folder.
func expected(t testing.TB, dir string) *checkpoint.File {
	t.Helper()
	raw, err := os.ReadFile(dir + huggingface.ExpectedSuffix)
	if err != nil {
		t.Fatal(err)
	}
	want, err := checkpoint.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return want
}

// whole returns ids as ints.
func whole(ids []int64) []int {
	all := make([]int, len(ids))
	for i, id := range ids {
		all[i] = int(id)
	}
	return all
}

// TestTargetContinued: a decoder that reads its text token by token, with cached keys and values of
// both texts, gives the library's logits for the whole text.
func TestTargetContinued(t *testing.T) {
	pairs := 0
	for _, dir := range goldens(t) {
		m, err := huggingface.Open(dir)
		if err != nil || m.Seq2Seq == nil {
			continue
		}
		pairs++
		want := expected(t, dir)
		target := whole(want.Ints["dec_ids.0"].Data)
		reader := encoder.NewTargetContinuer(m.Seq2Seq, encoder.Pair{Count: 1, Source: whole(want.Ints["ids.0"].Data)})
		reader.Read(nn.NewPass(ad.NewFrozen()), target[:3]...)
		for n, id := range target[3:] {
			got := reader.Read(nn.NewPass(ad.NewFrozen()), id).Value.Data
			row := want.Arrays["logits.0"].Sub(3 + n).Data
			for i, w := range row {
				if d := math.Abs(float64(got[i] - w)); d > 1e-4*max(float64(slices.Max(row)), 1) {
					t.Fatalf("%s: behind token %d the score of word %d is %g, wanted %g", filepath.Base(dir), 3+n, i, got[i], w)
				}
			}
		}
		if reader.Len() != len(target) {
			t.Errorf("%s has read %d of %d tokens", dir, reader.Len(), len(target))
		}
	}
	if pairs < 3 {
		t.Errorf("%d pairs", pairs)
	}
}

// renamed changes the header of a weight file: the names of tensors, some of which get several.
func renamed(names map[string][]string) func([]byte) []byte {
	return func(raw []byte) []byte {
		n := binary.LittleEndian.Uint64(raw)
		var header map[string]any
		if err := json.Unmarshal(raw[8:8+n], &header); err != nil {
			panic(err)
		}
		offset, copies := len(raw[8+n:]), []byte(nil)
		for name, all := range names {
			entry := header[name].(map[string]any)
			delete(header, name)
			for i, other := range all {
				one := map[string]any{"dtype": entry["dtype"], "shape": entry["shape"], "data_offsets": entry["data_offsets"]}
				if i > 0 { // tensors do not overlap
					at := entry["data_offsets"].([]any)
					data := raw[8+n:][int(at[0].(float64)):int(at[1].(float64))]
					one["data_offsets"] = []int{offset, offset + len(data)}
					copies, offset = append(copies, data...), offset+len(data)
				}
				header[other] = one
			}
		}
		text, _ := json.Marshal(header)
		out := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
		return append(append(out, raw[8+n:]...), copies...)
	}
}

// agrees compares a folder with the results of another.
func agrees(t *testing.T, what, dir string, want *checkpoint.File) {
	t.Helper()
	m, err := huggingface.Open(dir)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if d, err := m.Compare(want); err != nil || !d.OK() || d.Texts == 0 {
		t.Errorf("%s: %+v, %v", what, d, err)
	}
}

// TestPairNames: files of pairs store the word embeddings under one name or several, with or
// without a prefix, and can have unused tensors.
func TestPairNames(t *testing.T) {
	for _, one := range []struct {
		what, dir string
		names     map[string][]string
		config    map[string]any
	}{
		{"Marian with words of its own on each side", "testdata/marian",
			map[string][]string{"model.shared.weight": {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight"}},
			map[string]any{"share_encoder_decoder_embeddings": false}},
		{"BART with every name of its words", "testdata/bart", map[string][]string{"model.shared.weight": {
			"model.shared.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"}}, nil},
		{"T5 with a table that the library leaves alone", "testdata/t5", map[string][]string{
			"decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight": {
				"decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
				"decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"}}, nil},
		{"T5 with an output matrix of its own, unscaled by the newer field", "testdata/t5",
			map[string][]string{"shared.weight": {"shared.weight", "lm_head.weight"}},
			map[string]any{"scale_decoder_outputs": true, "tie_word_embeddings": false}},
	} {
		dir := copyOf(t, one.dir, map[string]func([]byte) []byte{
			"model.safetensors": renamed(one.names), "config.json": configured(one.config)["config.json"],
		})
		agrees(t, one.what, dir, expected(t, one.dir))
	}
}

// TestPairUnscaled: T5 1.1 does not scale the input of its logits.
func TestPairUnscaled(t *testing.T) {
	const dir = "testdata/t5"
	want, width := expected(t, dir), 24.0
	for i := range want.Arrays["logits.0"].Data {
		want.Arrays["logits.0"].Data[i] *= tensor.Elem(math.Sqrt(width))
	}
	agrees(t, "as version 4 writes it", copyOf(t, dir, configured(map[string]any{"tie_word_embeddings": false})), want)
	agrees(t, "as version 5 writes it", copyOf(t, dir, configured(map[string]any{"scale_decoder_outputs": false})), want)
}

// TestPairRefused: unsupported options in a pair's config.json are rejected with the name of the
// field.
func TestPairRefused(t *testing.T) {
	for dir, fields := range map[string]map[string][]any{
		"testdata/t5": {
			"feed_forward_proj": {"swoosh", "gated-swoosh", "gelu-gated", "gated-gelu-new", 3}, "dense_act_fn": {"silu"}, "is_gated_act": {true, "no"},
			"relative_attention_num_buckets": {2, 0}, "relative_attention_max_distance": {4, 0},
			"num_decoder_layers": {-1, 1 << 30}, "decoder_start_token_id": {420, -1}, "is_decoder": {true},
			"architectures": {[]string{"T5ForQuestionAnswering"}},
		},
		"testdata/bart": {
			"normalize_before": {true}, "normalize_embedding": {false}, "static_position_embeddings": {true},
			"decoder_attention_heads": {5, -2}, "decoder_ffn_dim": {-1}, "activation_function": {"swoosh"},
			"decoder_start_token_id": {300}, "max_position_embeddings": {1}, "architectures": {[]string{"BartForCausalLM"}},
		},
		"testdata/marian": {
			"normalize_embedding": {true}, "static_position_embeddings": {false},
			"forced_bos_token_id": {420},
		},
	} {
		for field, wrong := range fields {
			for _, value := range wrong {
				_, err := huggingface.Open(copyOf(t, dir, configured(map[string]any{field: value})))
				if err == nil || !strings.Contains(err.Error(), field) {
					t.Errorf("%s: %s = %v: %v", dir, field, value, err)
				}
			}
		}
	}
	apart := map[string]any{"share_encoder_decoder_embeddings": false, "decoder_vocab_size": -1}
	if _, err := huggingface.Open(copyOf(t, "testdata/marian", configured(apart))); err == nil ||
		!strings.Contains(err.Error(), "decoder_vocab_size") {
		t.Errorf("words of its own: %v", err)
	}
}
