package wall_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"attnatlas/web/api"
	"attnatlas/web/site"
	"attnatlas/web/wall"
	"attnatlas/web/webtest"

	"github.com/x448/float16"
)

// askAttention asks a server, and returns the answer.
func askAttention(t *testing.T, s http.Handler, question string) *httptest.ResponseRecorder {
	t.Helper()
	return webtest.Record(s, httptest.NewRequest("POST", "http://localhost"+site.APIPath("attention"),
		strings.NewReader(question)))
}

// arrayIn returns the head and the numbers of an NPY file.
func arrayIn(t *testing.T, file []byte) (head string, numbers []float32) {
	t.Helper()
	if len(file) < 128 || !bytes.HasPrefix(file, []byte("\x93NUMPY\x01\x00")) {
		t.Fatalf("%.40q is not an NPY file", file)
	}
	end := 10 + int(binary.LittleEndian.Uint16(file[8:]))
	head, file = string(file[10:end]), file[end:]
	for len(file) > 0 {
		switch {
		case strings.Contains(head, "'<f2'"):
			numbers, file = append(numbers, float16.Frombits(binary.LittleEndian.Uint16(file)).Float32()), file[2:]
		case strings.Contains(head, "'<f4'"):
			numbers, file = append(numbers, math.Float32frombits(binary.LittleEndian.Uint32(file))), file[4:]
		default:
			numbers, file = append(numbers, float32(binary.LittleEndian.Uint32(file))), file[4:]
		}
	}
	return head, numbers
}

// TestAttentionFiles: arrays have the numbers of JSON, at once and as a stream, in single and in half precision.
func TestAttentionFiles(t *testing.T) {
	s := realServer(t)
	for _, half := range []bool{false, true} {
		for _, asked := range []string{"", `, "top": 2`} {
			question := fmt.Sprintf(`{"model": "dot-product", "text": "the old cat", "rows": [2, 4]%s, "half": %v`, asked, half)
			var want wall.Attention
			if err := json.Unmarshal(askAttention(t, s, question+"}").Body.Bytes(), &want); err != nil {
				t.Fatal(err)
			}
			whole := askAttention(t, s, question+`, "format": "npz"}`).Body.Bytes()
			streamed := askAttention(t, s, question+`, "format": "npz", "stream": true}`)
			if !bytes.Equal(whole, streamed.Body.Bytes()) || streamed.Header().Get("Content-Type") != "application/x-npz" {
				t.Errorf("%s: the stream, %v, is another file", question, streamed.Header())
			}
			files, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range want.Layers {
				arrays := map[string]api.Values{"layer": l.Weights}
				if asked != "" {
					arrays = map[string]api.Values{"weights": l.Weights, "rest": l.Rest, "keys": nil}
					for _, k := range l.Keys {
						arrays["keys"] = append(arrays["keys"], float32(k-1))
					}
				}
				for name, numbers := range arrays {
					f, err := files.Open(fmt.Sprintf("%s%d.npy", name, l.Layer))
					if err != nil {
						t.Fatal(err)
					}
					file, err := io.ReadAll(f) // checks the sum
					if err != nil {
						t.Fatal(err)
					}
					head, got := arrayIn(t, file)
					same(t, head, got, numbers, half)
				}
			}
			if asked != "" {
				continue
			}
			npy := askAttention(t, s, question+`, "format": "npy", "stream": true}`).Body.Bytes()
			head, got := arrayIn(t, npy)
			shape := fmt.Sprintf("(%d, %d, 2, %d,)", len(want.Layers), len(want.Heads), len(want.Tokens))
			if !strings.Contains(head, shape) {
				t.Errorf("the array is %s, wanted %s", head, shape)
			}
			var all api.Values
			for _, l := range want.Layers {
				all = append(all, l.Weights...)
			}
			same(t, head, got, all, half)
		}
	}
}

// same compares an array with the numbers of JSON, which are those of single precision, or short for those of half.
func same(t *testing.T, head string, got []float32, want api.Values, half bool) {
	t.Helper()
	if len(got) != len(want) || strings.Contains(head, "<f2") != (half && !strings.Contains(head, "<i4")) {
		t.Fatalf("%s: %d numbers, wanted %d", head, len(got), len(want))
	}
	digits := 0
	for i, w := range want {
		if x := float32(w); got[i] != x && !(half && float16.Fromfloat32(x).Float32() == got[i]) {
			t.Fatalf("%s: number %d is %g, wanted %g", head, i, got[i], w)
		}
		text, _ := json.Marshal(api.Values{w})
		digits = max(digits, len(strings.TrimLeft(strings.Split(string(text), "e")[0], "[0.")))
	}
	if most := 5 + len("]"); half && digits > most {
		t.Errorf("%s: numbers of JSON have %d digits", head, digits)
	}
}

// TestAttentionFileBreaks: an error within a file ends the connection, so that no client takes it for complete.
func TestAttentionFileBreaks(t *testing.T) {
	pass := pausing{shippedEngine(), make(chan struct{})}
	close(pass.resume)
	s := webtest.ServerWith(t, &webtest.FakeEngine{}, func(o *site.Options) { o.Inspector = pass })
	listening := httptest.NewServer(s)
	defer listening.Close()
	for _, format := range []string{"npz", "npy"} {
		r, err := http.Post(listening.URL+site.APIPath("attention"), "application/json", strings.NewReader(
			`{"model": "dot-product", "text": "the old cat", "stream": true, "format": "`+format+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		file, err := io.ReadAll(r.Body)
		r.Body.Close()
		if len(file) < 400 || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s ends after %d bytes with %v", format, len(file), err)
		}
	}
}

// TestAttentionDecoder: the lists of an encoder–decoder, as JSON, as lines and as arrays.
func TestAttentionDecoder(t *testing.T) {
	s := realServer(t)
	const question = `{"model": "encoder-decoder", "text": "the old cat sat", "decoder_text": "sat cat"`
	var whole, cross wall.Attention
	if err := json.Unmarshal(askAttention(t, s, question+"}").Body.Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	n, m := len(whole.Tokens), len(whole.DecoderTokens)
	if whole.Layers != nil || len(whole.Encoder) == 0 || len(whole.Cross) != len(whole.Decoder) || n != 6 || m != 3 {
		t.Fatalf("%+v", whole)
	}
	if shape := fmt.Sprint(whole.Cross[0].Shape, whole.Decoder[0].Shape, whole.Encoder[0].Shape); shape !=
		fmt.Sprintf("[%[1]d %[2]d %[3]d] [%[1]d %[2]d %[2]d] [%[1]d %[3]d %[3]d]", len(whole.Heads), m, n) {
		t.Error("the shapes are", shape)
	}
	lines := strings.Split(strings.TrimSpace(askAttention(t, s, question+`, "stream": true}`).Body.String()), "\n")
	var streamed wall.Attention
	for i, line := range lines {
		var layer wall.AttentionLayer
		to := any(&layer)
		if i == 0 {
			to = &streamed
		}
		if err := json.Unmarshal([]byte(line), to); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			streamed.Add(layer)
		}
	}
	if a, b := fmt.Sprintf("%+v", whole), fmt.Sprintf("%+v", streamed); a != b {
		t.Errorf("at once: %s\nin lines: %s", a, b)
	}
	const last = `, "attentions": ["cross_attentions"], "rows": [3], "heads": [2]`
	if err := json.Unmarshal(askAttention(t, s, question+last+"}").Body.Bytes(), &cross); err != nil {
		t.Fatal(err)
	}
	if cross.Encoder != nil || cross.Heads != nil || len(cross.Cross) != len(whole.Cross) ||
		fmt.Sprint(cross.Cross[1].Weights) != fmt.Sprint(whole.Cross[1].Weights[(m+2)*n:][:n]) {
		t.Errorf("%+v is not that of %+v", cross, whole.Cross)
	}
	head, got := arrayIn(t, askAttention(t, s, question+last+`, "format": "npy"}`).Body.Bytes())
	same(t, head, got[len(got)-n:], cross.Cross[len(cross.Cross)-1].Weights, false)
	file := askAttention(t, s, question+`, "format": "npz"}`).Body.Bytes()
	files, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil || len(files.File) != len(lines)-1 || files.File[len(files.File)-1].Name !=
		fmt.Sprintf("cross_attentions.layer%d.npy", len(whole.Cross)) {
		t.Errorf("%v, %v", files, err)
	}
	for wrong, says := range map[string]string{
		question + `, "rows": [4]}`:                                    "from 1 to 3 (decoder_attentions)",
		question + `, "attentions": ["attentions"]}`:                   "attentions has “attentions”",
		question + `, "format": "npy"}`:                                "choose one list",
		question + `, "decoder_input_ids": [1]}`:                       "either decoder_text",
		`{"model": "dense", "text": "a", "decoder_text": "b"}`:         "no decoder",
		`{"model": "dense", "text": "a", "token_type_ids": [0]}`:       "belong to ids",
		`{"model": "dense", "ids": [2, 3], "token_type_ids": [0]}`:     "Give one for each id",
		`{"model": "dense", "ids": [2, 3], "token_type_ids": [0, 7]}`:  "has 7",
		`{"model": "dense", "text": "a", "format": "npy", "top": 1}`:   "one array",
		`{"model": "dense", "text": "a", "format": "arrow"}`:           "json, npz or npy",
		`{"model": "dense", "text": "a", "ids": []}`:                   "either text or ids",
		`{"model": "dense", "text": "a", "attentions": ["encoder_a"]}`: "only if a decoder",
	} {
		if r := askAttention(t, s, wrong); r.Code < 400 || r.Code >= 500 || !strings.Contains(r.Body.String(), says) {
			t.Errorf("%s: %d %s", wrong, r.Code, r.Body)
		}
	}
}
