package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"attnatlas/engine"
	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"
)

// These are the parts of a model's file that FuzzModel changes.
const (
	configNumber   = iota // a whole number of its configuration
	configOption          // an option of its stack or mechanism
	shapeInHeader         // an axis of an array
	offsetInHeader        // the end of an array
	scalesInHeader        // scales of rows that no array has, with an axis of that size
	numberInArray         // a number, by its bits
	nameTwice             // an array is twice in the header
	metadataTwice         // a name is twice in the configuration
	byteInHeader          // any byte
	end                   // the file is shorter, or longer
	packedMore            // the file is compressed, and this number of MiB of zeros follows
	mutations
)

// modelFile is the parts of a file.
type modelFile struct {
	header map[string]any
	config map[string]any
	data   []byte
}

// smallModel returns the file of a small model.
func smallModel(t testing.TB, id string) []byte {
	t.Helper()
	c := encoder.Shipped(id, tokenizer.Default().Size())
	c.Width, c.Inner, c.Heads, c.Length = 16, 16, 2, 12
	c.Layers = min(c.Layers, 2)
	if c.Embed > 0 {
		c.Embed = 8
	}
	var params []*nn.Param
	if c.Stack == encoder.EncoderDecoder.ID {
		m, err := encoder.NewSeq2Seq(c, 1)
		must(t, err)
		params = m.Params
		// The model writes as many tokens as it may: [SEP], whose embedding is also its output row, never has the
		// highest score.
		for _, p := range params {
			if p.Value.Dim(0) == c.Vocab && p.Value.Rank() == 2 {
				clear(p.Value.Data[tokenizer.Default().SEP()*c.Width:][:c.Width])
			}
		}
	} else {
		m, err := encoder.New(c, 1)
		must(t, err)
		params = m.Params
	}
	info := checkpoint.Info{Score: map[string]float64{"topic": 0.5, "feeling": 0.5, "sentence order": 0.5}}
	meta, err := checkpoint.Metadata(c, info)
	must(t, err)
	var b bytes.Buffer
	must(t, checkpoint.Write(&b, checkpoint.Arrays(params), meta, checkpoint.Shipped))
	return b.Bytes()
}

// takeApart splits a valid file into its parts.
func takeApart(t testing.TB, file []byte) (f modelFile) {
	t.Helper()
	size := binary.LittleEndian.Uint64(file)
	d := json.NewDecoder(bytes.NewReader(file[8:][:size]))
	d.UseNumber()
	must(t, d.Decode(&f.header))
	d = json.NewDecoder(strings.NewReader(f.header["__metadata__"].(map[string]any)["config"].(string)))
	d.UseNumber()
	must(t, d.Decode(&f.config))
	f.data = file[8+size:]
	return f
}

// join writes the file again. edit may change the texts of the configuration and the header.
func (f modelFile) join(t testing.TB, edit func(config, header string) (string, string)) []byte {
	t.Helper()
	config, err := json.Marshal(f.config)
	must(t, err)
	text, _ := edit(string(config), "")
	f.header["__metadata__"].(map[string]any)["config"] = text
	header, err := json.Marshal(f.header)
	must(t, err)
	_, text = edit("", string(header))
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return append(append(file, text...), f.data...)
}

// pick returns the nth key of a map whose value has a type.
func pick[T any](m map[string]any, n int) string {
	var keys []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if _, ok := m[k].(T); ok && k != "__metadata__" {
			keys = append(keys, k)
		}
	}
	return keys[n%len(keys)]
}

var options = []string{"hidden", "rounds", "chunk", "buckets", "window", "random", "slots", "order", "span", "groups",
	"inner", "decoder layers", "halting", "a", "k", "blocks", "features"}

// mutated returns a file with one change.
func mutated(t testing.TB, file []byte, what, at int, number int64) []byte {
	t.Helper()
	f := takeApart(t, file)
	as := func(config, header string) (string, string) { return config, header }
	array := f.header[pick[map[string]any](f.header, at)].(map[string]any)
	switch what {
	case configNumber:
		f.config[pick[json.Number](f.config, at)] = number
	case configOption:
		for _, kind := range []string{"knobs", "options"} {
			f.config[kind] = map[string]string{options[at%len(options)]: strconv.FormatInt(number, 10)}
			if number%2 == 0 {
				break
			}
		}
	case shapeInHeader:
		if shape := array["shape"].([]any); len(shape) > 0 {
			shape[0] = uint64(number)
		}
	case offsetInHeader:
		array["data_offsets"].([]any)[1] = uint64(number)
	case scalesInHeader:
		f.header["zz/row scale"] = map[string]any{"dtype": "F32", "shape": []uint64{0, uint64(number)},
			"data_offsets": []int{len(f.data), len(f.data)}}
	case numberInArray:
		from, _ := array["data_offsets"].([]any)[0].(json.Number).Int64()
		if from+4 <= int64(len(f.data)) {
			f.data = slices.Clone(f.data)
			binary.LittleEndian.PutUint32(f.data[from:], uint32(number))
		}
	case nameTwice:
		as = func(config, header string) (string, string) {
			return config, strings.Replace(header, "{", `{"words":`+strconv.FormatInt(number, 10)+",", 1)
		}
	case metadataTwice:
		as = func(config, header string) (string, string) {
			return strings.Replace(config, "{", `{"layers":`+strconv.FormatInt(number, 10)+",", 1), header
		}
	}
	file = f.join(t, as)
	switch what {
	case byteInHeader:
		file[at%int(binary.LittleEndian.Uint64(file)+8)] = byte(number)
	case end:
		file = append(file, make([]byte, 8)...)
		file = file[:uint64(number)%uint64(len(file))]
	case packedMore:
		file = zeros(t, file, int(number&0xff))
	}
	return file
}

// zeros returns the file compressed, followed by this number of MiB of zeros.
func zeros(t testing.TB, file []byte, more int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	must(t, err)
	_, err = w.Write(file)
	must(t, err)
	for range more {
		_, err = w.Write(make([]byte, 1<<20))
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

var fuzzed = []string{"dense", "encoder-decoder", "universal", "albert", "gpt2", "reformer"}

// FuzzModel serves pages of models whose files differ in one thing from the files that training writes. Every page is
// answered, with bounded time and memory.
func FuzzModel(f *testing.F) {
	files := make([][]byte, len(fuzzed))
	for i, id := range fuzzed {
		files[i] = smallModel(f, id)
	}
	nan, huge := int64(math.Float32bits(float32(math.NaN()))), int64(math.Float32bits(1e36))
	for _, seed := range []struct {
		id, what uint8
		at       uint16
		number   int64
	}{
		{0, scalesInHeader, 0, math.MinInt64}, {1, packedMore, 0, 255}, {0, packedMore, 0, 0},
		{1, configNumber, 3, 5632}, {1, configNumber, 3, 1200}, {1, configNumber, 3, 1}, {2, configNumber, 3, 1},
		{1, configNumber, 3, 0}, {2, configNumber, 3, 0}, {0, configNumber, 3, 0}, {2, configNumber, 2, 900},
		{0, configNumber, 1, -1},
		{0, configNumber, 4, 1 << 40}, {0, configNumber, 5, 1 << 33}, {5, configOption, 1, 64}, {3, configOption, 10, 4096},
		{1, configOption, 11, 1000},
		{0, nameTwice, 0, 7}, {0, metadataTwice, 0, 1}, {0, shapeInHeader, 3, math.MinInt64}, {0, offsetInHeader, 3, -1},
		{0, byteInHeader, 6, 255}, {0, end, 0, 9},
	} {
		f.Add(seed.id, seed.what, seed.at, seed.number)
	}
	for i := range 24 {
		f.Add(uint8(0), uint8(numberInArray), uint16(i), huge)
		f.Add(uint8(i), uint8(numberInArray), uint16(3*i+1), nan)
	}
	f.Fuzz(func(t *testing.T, which, kind uint8, at uint16, number int64) {
		id, what := fuzzed[int(which)%len(fuzzed)], int(kind)%mutations
		dir := t.TempDir()
		name := id + checkpoint.Extension
		if what == packedMore {
			name += checkpoint.Compressed
		}
		must(t, os.WriteFile(filepath.Join(dir, name),
			mutated(t, files[int(which)%len(fuzzed)], what, int(at), number), 0o644))
		began, before := time.Now(), allocated()
		serves(t, dir, id)
		if used, spent := allocated()-before, time.Since(began); used > mostMemory || spent > 30*time.Second {
			t.Errorf("%d MiB in %v", used>>20, spent)
		}
		if _, err := engine.NewIn(os.DirFS(dir)).Info(id); err == nil && (what == nameTwice || what == metadataTwice) {
			t.Error("a name that is there twice is read")
		}
	})
}

// mostMemory limits the memory that all pages of a model together may allocate, in bytes.
const mostMemory = 128 << 20

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// serves requests pages of the model in a folder.
func serves(t *testing.T, dir, id string) {
	t.Helper()
	handler, err := weights{Weights: dir}.server(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	text := "text=" + url.QueryEscape("the [MASK] cat")
	if id == encoder.EncoderDecoder.ID {
		text = "text=the+cat"
	}
	for _, path := range []string{"/?m=" + id + "&" + text, "/m/" + id + "?" + text, "/api/v1/attend?m=" + id + "&" + text,
		"/api/v1/write?" + text, "/api/v1/mechanisms", "/about", "/export/" + id + ".png?" + text, "/explain?m=" + id + "&" +
			text, "/steps?m=" + id + "&" + text, "/api/v1/explain?m=" + id + "&number=7.0&" + text} {
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost"+path, nil))
		cancel()
		if answer.Code >= 500 {
			t.Errorf("%s: status %d: %.300s", path, answer.Code, answer.Body)
		}
		if strings.Contains(answer.Body.String(), messages.English.T("error.failed")) {
			t.Errorf("%s calls it our mistake", path)
		}
		if strings.HasPrefix(path, "/api/") && !json.Valid(answer.Body.Bytes()) {
			t.Errorf("%s is no JSON: %.300s", path, answer.Body)
		}
	}
}
