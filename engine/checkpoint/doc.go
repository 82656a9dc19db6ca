// Package checkpoint reads and writes named arrays in the safetensors format (a length, a JSON
// header, raw little-endian data). It also contains the weights that are bundled with the program.
package checkpoint
