//go:build !amd64 || purego || f64

package tensor

func levels() map[string]isa { return map[string]isa{"portable": noISA} }
