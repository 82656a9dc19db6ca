package checkpoint

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
)

// Info says where a model's weights come from. It travels in the file's
// metadata, beside the model's configuration.
type Info struct {
	Mechanism string             `json:"mechanism"`
	Stack     string             `json:"stack,omitempty"` // empty: encoder
	Layers    int                `json:"layers"`
	Heads     int                `json:"heads"`
	Width     int                `json:"width"`
	Length    int                `json:"length"` // positions it was trained for
	Params    int                `json:"params"` // trainable numbers
	Steps     int                `json:"steps"`
	Tokens    int                `json:"tokens"` // seen in training
	Seed      uint64             `json:"seed"`
	Loss      float64            `json:"loss"`    // validation, masked or next words, nats per word piece
	Score     map[string]float64 `json:"score"`   // validation accuracy per task, 0…1
	Data      []string           `json:"data"`    // training sets
	Commit    string             `json:"commit"`  // of the training code
	Minutes   float64            `json:"minutes"` // of training, on one thread
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
func Embedded(mechanism string) (data []byte, ok bool) {
	data, err := weights.ReadFile("weights/" + mechanism + ".safetensors")
	return data, err == nil
}
