package checkpoint

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"attnatlas/engine/disk"
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
	Longest   int    `json:"longest,omitempty" doc:"Tokens that it reads; those from length on are at places that it never saw in training"`
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
	Hash    string             `json:"hash,omitempty" doc:"SHA-256 of the file of its weights, of a model that has been loaded"`
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
		if n := len(f.Meta[key]); n > longestMetadata {
			return info, messages.Errorf("checkpoint.metadata-long", "key", messages.Quote(key), "bytes", n, "most",
				longestMetadata)
		}
		if err := readKnown([]byte(f.Meta[key]), to); err != nil {
			return info, messages.Errorf("checkpoint.metadata", "key", messages.Quote(key), "cause", err.Error())
		}
	}
	if info.Commit == "(devel)" { // as Go calls a program that was built without a commit
		info.Commit = Unrecorded
	}
	return info, nil
}

// Unrecorded is Info.Commit of a model whose training program did not know its own commit.
const Unrecorded = "unrecorded"

// Embedded is the file of the shipped model of a mechanism.
func Embedded(mechanism string) (data []byte, ok bool) {
	data, err := In(Folder(), mechanism)
	return data, err == nil
}

// Header is what the file of the shipped model of a mechanism begins with, as far as Describe and Shapes read it: a
// file of its own in a folder that has one, so that what is fetched is fetched only to compute with it.
func Header(mechanism string) (data []byte, ok bool) {
	data, err := HeaderIn(Folder(), mechanism)
	return data, err == nil
}

// Cut is the beginning of a model's file that Header has, without compression.
func Cut(data []byte) ([]byte, error) {
	r, err := open(data)
	if err != nil {
		return nil, err
	}
	var begins bytes.Buffer
	h, err := parseHeader(io.TeeReader(r, &begins))
	if err != nil {
		return nil, err
	}
	return begins.Bytes()[:h.start], nil
}

// Extension is that of a model's file; Compressed follows it if the file is gzipped.
const (
	Extension  = ".safetensors"
	Compressed = ".gz"
	// HeaderExtension is that of the file of Header.
	HeaderExtension = ".header"
)

// HeaderIn is Header of a model in a folder.
func HeaderIn(folder fs.FS, name string) ([]byte, error) {
	if data, err := disk.ReadIn(folder, name+HeaderExtension, longestHeader); err == nil {
		return data, nil
	}
	return In(folder, name)
}

// In reads the file of a model in a folder, as it is or compressed. The error is
// fs.ErrNotExist when there is none.
func In(folder fs.FS, name string) ([]byte, error) {
	file, ok := Find(folder, name)
	if !ok {
		return nil, fs.ErrNotExist
	}
	return disk.ReadIn(folder, file, MaxBytes())
}

// Find is the name of the file that In reads: whatever is called so, also what cannot be read.
func Find(folder fs.FS, name string) (file string, ok bool) {
	for _, ext := range [...]string{Extension, Extension + Compressed} {
		if !fs.ValidPath(name+ext) || strings.Contains(name, "\x00") {
			continue
		}
		if _, err := fs.Lstat(folder, name+ext); !errors.Is(err, fs.ErrNotExist) {
			return name + ext, true
		}
	}
	return "", false
}

// Describe reads the configuration, to which config is a pointer, and the provenance of a
// model's file from its header: of a compressed one only the first kilobytes.
func Describe(data []byte, config any) (Info, error) {
	h, err := readHeader(data)
	if err != nil {
		return Info{}, err
	}
	f := File{Meta: h.meta}
	return f.Describe(config)
}

// Shapes are the names and shapes of the arrays of a model's file, read from its header.
func Shapes(data []byte) (map[string][]int, error) {
	h, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	shapes := map[string][]int{}
	for _, a := range h.arrays {
		if !strings.HasSuffix(a.name, scaleSuffix) {
			shapes[a.name] = a.shape
		}
	}
	return shapes, nil
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
