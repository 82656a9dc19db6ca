package checkpoint

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"attnatlas/engine/messages"
)

// Info is the provenance of a model's weights. It is stored in the file's metadata, beside
// the model's configuration.
type Info struct {
	Mechanism string `json:"mechanism"`
	Stack     string `json:"stack,omitempty"` // empty: encoder
	Layers    int    `json:"layers"`
	Heads     int    `json:"heads"`
	Width     int    `json:"width"`
	Length    int    `json:"length"` // positions it was trained for
	Norm      string `json:"norm,omitempty" doc:"Where its layers normalise: pre or post"`
	Positions string `json:"positions,omitempty" doc:"How it knows where words stand: learned, sinusoidal, sinusoidal-halves, or none"`
	// MixerOptions are the mechanism's choices that are not the default ones.
	MixerOptions map[string]string `json:"knobs,omitempty" doc:"The mechanism's choices that are not the default ones"`
	// Options are the stack's choices that are not the default ones.
	Options map[string]string  `json:"options,omitempty" doc:"The stack's choices that are not the default ones"`
	Params  int                `json:"params"` // trainable numbers
	Steps   int                `json:"steps"`
	Tokens  int                `json:"tokens"` // seen in training
	Seed    uint64             `json:"seed"`
	Loss    float64            `json:"loss"`             // validation, masked or next words, nats per word piece
	Score   map[string]float64 `json:"score"`            // validation accuracy per task, 0…1
	Data    []string           `json:"data"`             // training sets
	Commit  string             `json:"commit"`           // of the training code
	Minutes float64            `json:"minutes"`          // of training, on one thread
	Rate    float64            `json:"rate,omitempty"`   // peak learning rate
	Trials  []Trial            `json:"trials,omitempty"` // of the rates among which it was chosen
	Long    map[string]float64 `json:"long,omitempty"`   // Loss on longer rows, by their length in word pieces
}

// Trial is one learning rate that was tried.
type Trial struct {
	Rate  float64 `json:"rate"`
	Steps int     `json:"steps"` // after which Loss was measured
	Loss  float64 `json:"loss"`  // validation, as Info.Loss
}

const (
	configKey = "config"
	infoKey   = "info"
)

// Metadata encodes a configuration and its provenance for Write.
func Metadata(config any, info Info) (map[string]string, error) {
	c, err := json.Marshal(config)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	i, err := json.Marshal(info)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	return map[string]string{configKey: string(c), infoKey: string(i)}, nil
}

// Describe decodes the metadata; config is a pointer.
func (f *File) Describe(config any) (Info, error) {
	var info Info
	for key, to := range map[string]any{configKey: config, infoKey: &info} {
		d := json.NewDecoder(bytes.NewReader([]byte(f.Meta[key])))
		d.DisallowUnknownFields()
		if err := d.Decode(to); err != nil {
			return info, messages.Errorf("checkpoint.metadata", "key", messages.Quote(key), "cause", err.Error())
		}
	}
	return info, nil
}

//go:embed all:weights
var weights embed.FS

// Embedded is the file of the shipped model of a mechanism.
func Embedded(mechanism string) (data []byte, ok bool) { return In(weights, "weights/"+mechanism) }

// Extension is that of a model's file; Compressed follows it if the file is gzipped.
const (
	Extension  = ".safetensors"
	Compressed = ".gz"
)

// In reads the file of a model in a folder, as it is or compressed.
func In(folder fs.FS, name string) (data []byte, ok bool) {
	file, ok := Find(folder, name)
	if !ok {
		return nil, false
	}
	data, err := fs.ReadFile(folder, file)
	return data, err == nil
}

// Find is the name of the file that In reads.
func Find(folder fs.FS, name string) (file string, ok bool) {
	for _, ext := range [...]string{Extension, Extension + Compressed} {
		if info, err := fs.Stat(folder, name+ext); err == nil && info.Mode().IsRegular() {
			return name + ext, true
		}
	}
	return "", false
}

// open reads a file, compressed or not.
func open(data []byte) (io.Reader, error) {
	if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return bytes.NewReader(data), nil
	}
	return gzip.NewReader(bytes.NewReader(data))
}

// unpack is the uncompressed file.
func unpack(data []byte) ([]byte, error) {
	r, err := open(data)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Describe reads the configuration, to which config is a pointer, and the provenance of a
// model's file from its header: of a compressed one only the first kilobytes.
func Describe(data []byte, config any) (Info, error) {
	h, err := readHeader(data)
	if err != nil {
		return Info{}, err
	}
	f := File{}
	if err := json.Unmarshal(h["__metadata__"], &f.Meta); err != nil && h["__metadata__"] != nil {
		return Info{}, unreadable(err)
	}
	return f.Describe(config)
}

// Shapes are the names and shapes of the arrays of a model's file, read from its header.
func Shapes(data []byte) (map[string][]int, error) {
	h, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	shapes := map[string][]int{}
	for name, raw := range h {
		if name == "__metadata__" || strings.HasSuffix(name, scaleSuffix) {
			continue
		}
		var array struct{ Shape []int }
		if err := json.Unmarshal(raw, &array); err != nil {
			return nil, unreadable(err)
		}
		shapes[name] = array.Shape
	}
	return shapes, nil
}

// longestHeader bounds the memory that a broken file can take.
const longestHeader = 16 << 20

// readHeader reads the header of a file.
func readHeader(data []byte) (map[string]json.RawMessage, error) {
	header, err := parseHeader(data)
	if err != nil {
		return nil, unreadable(err)
	}
	return header, nil
}

func parseHeader(data []byte) (map[string]json.RawMessage, error) {
	r, err := open(data)
	if err != nil {
		return nil, err
	}
	var size uint64
	if err := binary.Read(r, le, &size); err != nil {
		return nil, err
	}
	if size > longestHeader {
		return nil, messages.Errorf("checkpoint.header", "bytes", int(size))
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(r, raw); err != nil {
		return nil, err
	}
	var header map[string]json.RawMessage
	err = json.Unmarshal(raw, &header)
	return header, err
}

// Pack compresses a model's file. Equal content gives equal bytes.
func Pack(plain []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
