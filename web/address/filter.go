package address

import "strconv"

// FilterKeys are the keys of filters, which exclude cells from the colours.
var FilterKeys = []string{Sinks, Mass, Top}

// shareDigits is the number of digits of a share in a URL.
const shareDigits = 4

// share reads a number between 0 and 1, or returns 0 if there is none.
func (d *Decoder) share(key string) float64 {
	value, ok := d.Get(key)
	if !ok || value == "" {
		return 0
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !(v > 0 && v < 1) || share(v) != value || len(value) > len("0.")+shareDigits {
		d.Fail(key, "param.mass", "value", quote(value))
		return 0
	}
	return v
}

func share(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
