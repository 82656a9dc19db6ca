// Package checkpoint reads and writes arrays by name in the safetensors format
// (a length, a JSON header, raw little-endian data), and carries the weights
// that are embedded in the program.
package checkpoint
