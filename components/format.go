package components

import (
	"context"
	"strconv"

	"attnatlas/engine/messages"
)

// T returns a text of the catalogue in the language of the page.
func T(ctx context.Context, id string, args ...any) string { return messages.From(ctx).T(id, args...) }

// Fixed formats a number with two decimals, as for probabilities of classes: "0.91".
func Fixed(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// Shorten removes the middle of a label with more than limit characters, because word pieces often
// differ in their ends.
func Shorten(label string, limit int) string {
	runes := []rune(label)
	if len(runes) <= limit || limit < 3 {
		return label
	}
	head := limit / 2
	tail := limit - 1 - head
	return string(runes[:head]) + "…" + string(runes[len(runes)-tail:])
}

// Lines returns the lines of a text in the catalogue.
func Lines(ctx context.Context, id string) []string {
	return messages.From(ctx).Lines(messages.New(id))
}

// Paragraphs returns the paragraphs of a text in the catalogue.
func Paragraphs(ctx context.Context, id string) []string {
	return messages.From(ctx).Paragraphs(messages.New(id))
}
