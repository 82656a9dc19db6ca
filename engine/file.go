package engine

import (
	"bytes"

	"attnatlas/engine/checkpoint"
)

// File is the file of a mechanism's or a stack's model, compressed, and its name in a folder of models. The error is
// fs.ErrNotExist where there is none.
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
