//go:build !unix

package disk

// Map is Read on systems where files cannot be mapped.
func Map(path string, most int64) ([]byte, error) { return Read(path, most) }
