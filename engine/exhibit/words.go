package exhibit

import (
	"fmt"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Caption says what a cell is.
func (x *Exhibit) Caption() messages.Message {
	if x.Part != "" {
		return messages.New("part." + x.Part + ".caption")
	}
	m, _ := method.Of(x.Map.Name)
	if m == nil || !m.Whole {
		return x.View.Caption
	}
	through := messages.New("caption.after-" + x.Layer.Unit())
	if x.Layer.Number > 1 {
		through = messages.New("caption.through-"+x.Layer.Unit(), "number", x.Layer.Number)
	}
	return messages.New("caption."+messages.Key(x.Map.Name), "through", through)
}

// Title names the mechanism and the map.
func (x *Exhibit) Title() messages.Message {
	title := messages.Text(x.View.Symbol)
	switch {
	case x.Part != "":
		title = messages.New("part." + x.Part + ".title")
	case x.Whole || named(x.Map.Name): // other maps have these symbols, too
		title = messages.Text(x.Map.Name + " " + x.View.Symbol)
	}
	return messages.Join(" · ", x.Result.Name(), title)
}

// named reports whether a title needs the map's name, because its symbol says too little.
func named(name string) bool {
	m, _ := method.Of(name)
	return m != nil && !m.Distinct
}

// Subtitle names the layer, head, plane and text of the map.
func (x *Exhibit) Subtitle() messages.Message {
	if x.Part != "" {
		return x.HeadedSubtitle()
	}
	return messages.Join(" · ", x.HeadedSubtitle(), messages.New("figure.text", "text", Opening(x.text.Text)))
}

// HeadedSubtitle is Subtitle below a heading with the text. Of the text, it has only what the model wrote.
func (x *Exhibit) HeadedSubtitle() messages.Message {
	parts := []messages.Message{x.Where(" · ")}
	if after := x.text.After; after != nil {
		parts = append(parts, messages.New("figure.after", "count", after.Step, "steps", after.Steps))
	}
	if x.Part != "" {
		parts = append(parts, messages.New("figure.texts", "text", Opening(x.text.Text), "written",
			Opening(x.Result.Generated.Text)))
	}
	return messages.Join(" · ", parts...)
}

// Where names the layer, head and plane of the map.
func (x *Exhibit) Where(between string) messages.Message {
	if x.Whole {
		return messages.New("unit.whole")
	}
	parts := []messages.Message{x.LayerName(), x.Head}
	if x.Plane > 0 {
		parts = append(parts, x.Planes[x.Plane-1])
	}
	return messages.Join(between, parts...)
}

// LayerName names the layer of the map.
func (x *Exhibit) LayerName() messages.Message {
	if x.Whole {
		return messages.New("unit.whole")
	}
	return UnitName(x.Layer)
}

// UnitName names a layer, or a recurrent step.
func UnitName(l engine.Layer) messages.Message {
	return messages.New("unit."+l.Unit(), "number", l.Number)
}

// Alt describes in words what a drawing of the map shows.
func (x *Exhibit) Alt() messages.Message {
	g := x.Grid()
	size := strconv.Itoa(g.Cols)
	if g.Rows > 1 {
		size = fmt.Sprintf("%d×%d", g.Rows, g.Cols)
	}
	symbol := messages.Text(x.View.Symbol)
	if x.Part != "" {
		symbol = messages.New("part." + x.Part + ".title")
	}
	m := messages.New("alt.map", "name", x.Result.Name(), "symbol", symbol, "where", x.Where(", "), "size", size)
	best, ok := x.strongest()
	if !ok {
		return m
	}
	cell := x.columnLabel(best % g.Cols)
	if g.Rows > 1 {
		cell = messages.New("alt.pair", "row", x.rowLabel(best/g.Cols), "column", cell)
	}
	m = messages.New("alt.largest", "map", m, "cell", cell, "value", messages.Number(float64(x.Map.Value.Data[best])))
	if share, rests := x.Resting(); rests {
		m = messages.New("alt.resting", "map", m, "share", messages.Percent(share))
	}
	if note := x.CutNote(); !note.IsZero() && x.aside == nil { // otherwise the remark has it
		m = messages.New("alt.cut", "map", m, "note", note)
	}
	if x.aside != nil {
		m = messages.New("alt.aside", "map", m, "remark", x.Figure.Remark)
	}
	return m
}

func (x *Exhibit) rowLabel(i int) messages.Message { return figure.Label(x.Map.Axes[0], i) }

func (x *Exhibit) columnLabel(i int) messages.Message {
	return figure.Label(x.Map.Axes[len(x.Map.Axes)-1], i)
}

// strongest returns the index of the largest value over the text's positions.
func (x *Exhibit) strongest() (index int, ok bool) {
	last := x.Map.Axes[len(x.Map.Axes)-1].Role
	if last != trace.Key && last != trace.Token || x.Map.Kind == trace.Category {
		return 0, false
	}
	index = -1
	for i, class := range x.Grid().Class {
		if class != figure.Value && class != figure.Tiny && class != figure.Zero {
			continue
		}
		if index < 0 || x.Map.Value.Data[i] > x.Map.Value.Data[index] {
			index = i
		}
	}
	return index, index >= 0
}

// FileName returns the name of a file of the exhibit.
func (x *Exhibit) FileName(extension string) string {
	name := x.Result.ID
	if x.Name != MainMap(x.Result.Entry) {
		name += "-" + strings.ReplaceAll(x.Name, " ", "-")
	}
	if x.Plane > 0 {
		name += fmt.Sprintf("-%s%d", x.Layout.Stack, x.Plane)
	}
	if x.Whole {
		return name + "." + extension
	}
	return fmt.Sprintf("%s-%s%d-%s.%s", name, x.Layer.Unit(), x.Layer.Number, x.headPart(), extension)
}

// headPart returns the part of a file name that stands for the head.
func (x *Exhibit) headPart() string {
	if x.Head.ID == "head.all" {
		return "all"
	}
	return HeadName(x.Number)
}

// Beginning returns the start of a text, for a title of one line.
func Beginning(text string) string { return start(text, 48) }

// Opening returns the start of a text, for a place with two or three lines.
func Opening(text string) string { return start(text, 120) }

// start returns a text without line breaks. A text beyond the limit of characters is cut, and dots are appended.
func start(text string, limit int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	cut := len(runes) > limit
	if cut {
		runes = runes[:limit]
	}
	words := strings.Split(string(runes), " ")
	for i, word := range words {
		if word != "" {
			words[i] = tokenizer.Visible(word)
		}
	}
	if cut {
		words = append(words[:len(words)-1], words[len(words)-1]+"…")
	}
	return strings.Join(words, " ")
}
