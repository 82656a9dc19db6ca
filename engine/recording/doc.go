// Package recording stores training snapshots: the maps of a model at increasing numbers of
// training steps, with the loss of each. All frames are real; none is interpolated.
//
// Make makes a recording from the snapshots of a training. The Report of a recording is that of one
// frame; maps are selected and drawn from it as from any other report.
package recording
