//go:build !unix

package disk

// Map is Read where files are not mapped.
func Map(path string, most int64) ([]byte, error) { return Read(path, most) }
