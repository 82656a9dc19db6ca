package web

import (
	"cmp"
	"strconv"
	"strings"

	"attnatlas/components"
)

// writeLayers are small pictures of every layer and head of the kinds of maps that
// have heads.
func (p *writePage) writeLayers() []components.WritingLayers {
	var kinds []components.WritingLayers
	for _, m := range writeMaps {
		if m.name == encoderRollout {
			continue
		}
		kind := components.WritingLayers{Name: m.name, Title: strings.ToUpper(m.title[:1]) + m.title[1:]}
		for _, layer := range m.layers(p.written) {
			row := components.LayerRow{Label: "Layer " + strconv.Itoa(layer.Number)}
			for head := MeanHead; head <= p.written.Heads; head++ {
				there := p.state
				there.Layer, there.Head = layer.Number, head
				t, _, err := m.pick(p.written, there.State)
				if err != nil {
					continue // resolve has found every map of the page
				}
				row.Thumbs = append(row.Thumbs, p.thumb(writeFigure{writeState: there, of: m}.cells(t, thumbWidth), there))
			}
			kind.Rows = append(kind.Rows, row)
		}
		kinds = append(kinds, kind)
	}
	return kinds
}

// thumb is a small picture that leads to its layer and head.
func (p *writePage) thumb(img components.Image, there writeState) components.Thumb {
	label := "mean"
	if there.Head != MeanHead {
		label = "head " + strconv.Itoa(there.Head)
	}
	img.Alt = "Layer " + strconv.Itoa(there.Layer) + ", " + label
	now := cmp.Or(p.state.Layer, len(p.written.Cross))
	return components.Thumb{Label: label, URL: writeURL(there), Image: img, Current: there.Layer == now && there.Head == p.state.Head}
}
