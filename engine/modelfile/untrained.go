package modelfile

import (
	"bytes"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/encoder"
	"attnatlas/engine/nn"
)

// Untrained returns the checkpoint of a model with the values from which its training starts. It returns an error if
// no model can be built from the configuration.
func Untrained(c encoder.Config) ([]byte, error) {
	params, err := firstParams(c)
	if err != nil {
		return nil, err
	}
	meta, err := checkpoint.Metadata(c, checkpoint.Info{
		Mechanism: c.Mechanism, Stack: c.Stack, Layers: c.Layers, Heads: c.Heads, Width: c.Width, Length: c.Length,
	})
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	err = checkpoint.Write(&file, checkpoint.Arrays(params), meta, checkpoint.All(checkpoint.Single))
	return file.Bytes(), err
}

// firstParams returns the parameters of a model before its training.
func firstParams(c encoder.Config) ([]*nn.Param, error) {
	if c.Stack == encoder.EncoderDecoder.ID {
		m, err := encoder.NewSeq2Seq(c, 1)
		if err != nil {
			return nil, err
		}
		return m.Params, nil
	}
	m, err := encoder.New(c, 1)
	if err != nil {
		return nil, err
	}
	return m.Params, nil
}
