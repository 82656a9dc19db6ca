package engine

import (
	"bytes"

	"attnatlas/engine/checkpoint"
)

// File returns the compressed model file of a mechanism or architecture, and its name in a folder of models. The
// error is fs.ErrNotExist if there is none.
func (e *Engine) File(id string) (name string, data []byte, err error) {
	id = e.shipped(id)
	if data, err = e.source(id); err != nil {
		return "", nil, err
	}
	if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		data, err = checkpoint.Pack(data)
	}
	return id + checkpoint.Extension + checkpoint.Compressed, data, err
}
