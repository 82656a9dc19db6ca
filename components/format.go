package components

import (
	"context"
	"strconv"

	"attnatlas/engine/messages"
)

// T says a text of the catalogue in the language of the page.
func T(ctx context.Context, id string, args ...any) string { return messages.From(ctx).T(id, args...) }

// Fixed writes a number with two digits after the point, as probabilities of
// classes are read: "0.91".
func Fixed(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// Shorten cuts the middle out of a label of more than limit runes: pieces of a
// word often differ in their ends.
func Shorten(label string, limit int) string {
	runes := []rune(label)
	if len(runes) <= limit || limit < 3 {
		return label
	}
	head := limit / 2
	tail := limit - 1 - head
	return string(runes[:head]) + "…" + string(runes[len(runes)-tail:])
}

// Lines are those of a text of the catalogue.
func Lines(ctx context.Context, id string) []string {
	return messages.From(ctx).Lines(messages.New(id))
}

// Paragraphs are those of a text of the catalogue.
func Paragraphs(ctx context.Context, id string) []string {
	return messages.From(ctx).Paragraphs(messages.New(id))
}
