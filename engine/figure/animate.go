package figure

import (
	"io"

	"attnatlas/engine/figure/pngfile"
)

// How long a frame of an animation stays, and the last one, in milliseconds.
const (
	frameTime = 150
	restTime  = 2500
)

// Animate writes figures as one animated PNG, which plays again and again. Programs that know no animations show the
// last figure. All have the size of the largest, and what the file says is that of the last. It takes one figure or
// more.
func Animate(w io.Writer, figures []Figure) error {
	frames := make([]pngfile.Frame, len(figures))
	var last Figure
	for i, f := range figures {
		frames[i] = pngfile.Frame{Draw: f.onImage, Milliseconds: frameTime}
		last = f
	}
	if len(frames) > 0 {
		frames[len(frames)-1].Milliseconds = restTime
	}
	return pngfile.Animate(w, frames, fileInfo(last.DPI, last.Meta))
}
