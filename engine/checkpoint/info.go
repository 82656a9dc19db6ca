package checkpoint

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
)

// Info says where a model's weights come from. It travels in the file's
// metadata, beside the model's configuration.
type Info struct {
	Mechanism string `json:"mechanism"`
	Stack     string `json:"stack,omitempty"` // empty: encoder
	Layers    int    `json:"layers"`
	Heads     int    `json:"heads"`
	Width     int    `json:"width"`
	Length    int    `json:"length"` // positions it was trained for
	// Knobs are the mechanism's choices that are not the default ones.
	Knobs map[string]string `json:"knobs,omitempty"`
	// Options are the stack's choices that are not the default ones.
	Options map[string]string  `json:"options,omitempty"`
	Params  int                `json:"params"` // trainable numbers
	Steps   int                `json:"steps"`
	Tokens  int                `json:"tokens"` // seen in training
	Seed    uint64             `json:"seed"`
	Loss    float64            `json:"loss"`    // validation, masked or next words, nats per word piece
	Score   map[string]float64 `json:"score"`   // validation accuracy per task, 0…1
	Data    []string           `json:"data"`    // training sets
	Commit  string             `json:"commit"`  // of the training code
	Minutes float64            `json:"minutes"` // of training, on one thread
}

const (
	configKey = "config"
	infoKey   = "info"
)

// Metadata packs a configuration and its provenance for Write.
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

// Describe unpacks what Metadata packed; config is a pointer.
func (f *File) Describe(config any) (Info, error) {
	var info Info
	for key, to := range map[string]any{configKey: config, infoKey: &info} {
		d := json.NewDecoder(bytes.NewReader([]byte(f.Meta[key])))
		d.DisallowUnknownFields()
		if err := d.Decode(to); err != nil {
			return info, fmt.Errorf("checkpoint: metadata %q: %w", key, err)
		}
	}
	return info, nil
}

//go:embed all:weights
var weights embed.FS

// Embedded is the file of the shipped model of a mechanism.
func Embedded(mechanism string) (data []byte, ok bool) { return In(weights, "weights/"+mechanism) }

// Extension is what the name of a model's file ends in; Compressed what gzip adds to it.
const (
	Extension  = ".safetensors"
	Compressed = ".gz"
)

// In is the model of a name in a folder: its file, or its file unpacked. A file that cannot
// be unpacked is returned as it is, for Parse to say what is wrong with it.
func In(folder fs.FS, name string) (data []byte, ok bool) {
	if data, err := fs.ReadFile(folder, name+Extension); err == nil {
		return data, true
	}
	packed, err := fs.ReadFile(folder, name+Extension+Compressed)
	if err != nil {
		return nil, false
	}
	plain, err := unpack(packed)
	if err != nil {
		return packed, true
	}
	return plain, true
}

func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
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
