package figure

import (
	"bytes"
	"image/png"
	"testing"
)

// TestResolutionsAreAnswered: without a scale, a figure is drawn at every resolution, with the
// largest cells that fit.
func TestResolutionsAreAnswered(t *testing.T) {
	for _, dpi := range []int{96, 300, 600, 1200} {
		var b bytes.Buffer
		if err := PNG(&b, Spec{Map: softmaxMap(62, 1, 1), DPI: dpi}); err != nil {
			t.Errorf("%d dots per inch: %v", dpi, err)
			continue
		}
		c, err := png.DecodeConfig(&b)
		if err != nil || c.Width*c.Height > MaxPixels {
			t.Errorf("%d dots per inch: %d × %d, %v", dpi, c.Width, c.Height, err)
		}
		if dpi >= 600 && c.Width*c.Height < MaxPixels/2 {
			t.Errorf("%d dots per inch: only %d × %d pixels", dpi, c.Width, c.Height)
		}
	}
}
