package figure

import (
	"io"

	"attnatlas/engine/figure/pngfile"
)

// Durations of a frame of an animation and of its last frame, in milliseconds.
const (
	frameTime = 150
	restTime  = 2500
)

// Animate writes figures as one animated PNG that repeats forever. Programs without support for
// animations show the last figure. All frames have the size of the largest figure, and the file
// carries the metadata of the last. It needs at least one figure.
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
