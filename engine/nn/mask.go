package nn

import "fmt"

// MaskKind is the mask that a request asks for.
type MaskKind uint8

const (
	NoMask MaskKind = iota // every position may read every position
	Causal                 // position i may read j ≤ i only
)

var maskNames = [...]string{"none", "causal"}

func (m MaskKind) String() string { return maskNames[m] }

// ParseMask is the inverse of MaskKind.String.
func ParseMask(s string) (MaskKind, error) {
	for i, name := range maskNames {
		if s == name {
			return MaskKind(i), nil
		}
	}
	return 0, fmt.Errorf("mask %q is not one of none, causal", s)
}
