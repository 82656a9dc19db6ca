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

// Info is the provenance of a model's weights. It is stored in the file's metadata, next to the
// model's configuration.
type Info struct {
	Mechanism string `json:"mechanism" doc:"ID of the mechanism in the layers"`
	Stack     string `json:"stack,omitempty" doc:"ID of the architecture; absent for the encoder"`
	Layers    int    `json:"layers" doc:"Number of layers"`
	Heads     int    `json:"heads" doc:"Number of heads in each layer"`
	// DecoderHeads is the number of heads of a decoder layer; 0: the same as in the encoder.
	DecoderHeads int `json:"decoder_heads,omitempty" doc:"Number of heads in each layer of the decoder, if it differs from heads"`

	Width     int    `json:"width" doc:"Width d of the model"`
	Length    int    `json:"length" doc:"Number of positions the model was trained for"`
	Longest   int    `json:"longest,omitempty" doc:"Largest number of tokens that the model accepts. Positions beyond length did not occur in training"`
	Norm      string `json:"norm,omitempty" doc:"Position of the layer normalisation: pre (before each sublayer) or post (after it)"`
	Positions string `json:"positions,omitempty" doc:"Position information: learned, sinusoidal, sinusoidal-halves, or none"`
	// MixerOptions are the options of the mechanism that differ from the defaults.
	MixerOptions map[string]string `json:"knobs,omitempty" doc:"Options of the mechanism that are not the defaults"`
	// Options are the options of the architecture that differ from the defaults.
	Options map[string]string  `json:"options,omitempty" doc:"Options of the architecture that are not the defaults"`
	Params  int                `json:"params" doc:"Number of trained parameters"`
	Steps   int                `json:"steps" doc:"Number of training steps"`
	Tokens  int                `json:"tokens" doc:"Number of tokens seen in training"`
	Seed    uint64             `json:"seed" doc:"Random seed of the training"`
	Loss    float64            `json:"loss" doc:"Validation loss in nats per masked token, or per next token"`
	Score   map[string]float64 `json:"score" doc:"Validation accuracy, 0…1, by task"`
	Data    []string           `json:"data" doc:"Training sets"`
	Commit  string             `json:"commit" doc:"Commit of the training program’s source code"`
	Minutes float64            `json:"minutes" doc:"Training time on one thread in minutes"`
	Rate    float64            `json:"rate,omitempty" doc:"Peak learning rate"`
	Trials  []Trial            `json:"trials,omitempty" doc:"Results of the learning rates from which rate was chosen"`
	Long    map[string]float64 `json:"long,omitempty" doc:"Validation loss on longer texts, by their number of tokens"`
	Hash    string             `json:"hash,omitempty" doc:"SHA-256 hash of the file with the weights, for a loaded model"`
}

// Trial is the result of one learning rate that was tried.
type Trial struct {
	Rate  float64 `json:"rate" doc:"Peak learning rate of the trial"`
	Steps int     `json:"steps" doc:"Number of training steps before loss was measured"`
	Loss  float64 `json:"loss" doc:"Validation loss in nats per token"`
}

const (
	configKey = "config"
	infoKey   = "info"
)

// Metadata encodes a configuration and its provenance as the metadata for Write.
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

// Describe decodes the metadata of a file. It stores the configuration in config, which is a
// pointer.
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
	if info.Commit == "(devel)" { // Go's version of a program that was built without a commit
		info.Commit = Unrecorded
	}
	return info, nil
}

// Unrecorded is the value of Info.Commit if the training program did not know its own commit.
const Unrecorded = "unrecorded"

// Embedded returns the file of the bundled model of a mechanism.
func Embedded(mechanism string) (data []byte, ok bool) {
	data, err := In(Folder(), mechanism)
	return data, err == nil
}

// Header returns the beginning of the file of a mechanism's bundled model, enough for Describe and
// Shapes. If the folder has a separate file for it, Header reads that one, so that whole models are
// fetched only to compute with them.
func Header(mechanism string) (data []byte, ok bool) {
	data, err := HeaderIn(Folder(), mechanism)
	return data, err == nil
}

// Cut returns the decompressed beginning of a model's file that Header needs.
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

// Extension is the file name extension of models. Compressed follows it if the file is gzipped.
const (
	Extension  = ".safetensors"
	Compressed = ".gz"
	// HeaderExtension is the extension of the separate file that Header reads.
	HeaderExtension = ".header"
)

// HeaderIn is Header for a model in the given folder.
func HeaderIn(folder fs.FS, name string) ([]byte, error) {
	if data, err := disk.ReadIn(folder, name+HeaderExtension, longestHeader); err == nil {
		return data, nil
	}
	return In(folder, name)
}

// In reads the file of a model in a folder, compressed or not. The error is fs.ErrNotExist if there
// is no such file.
func In(folder fs.FS, name string) ([]byte, error) {
	file, ok := Find(folder, name)
	if !ok {
		return nil, fs.ErrNotExist
	}
	return disk.ReadIn(folder, file, MaxBytes())
}

// Find returns the name of the file that In reads. It finds everything with this name, even if it
// cannot be read.
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

// Describe reads the configuration, to which config points, and the provenance from the header of a
// model's file. It decompresses only the first kilobytes of a compressed file.
func Describe(data []byte, config any) (Info, error) {
	h, err := readHeader(data)
	if err != nil {
		return Info{}, err
	}
	f := File{Meta: h.meta}
	return f.Describe(config)
}

// Shapes returns the shapes of the arrays of a model's file by name, read from its header.
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
