//go:build !amd64 || purego || f64

package tensor

func gemms() map[string]gemmFunc { return map[string]gemmFunc{"portable": gemmPortable} }
