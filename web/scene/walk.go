package scene

import (
	"attnatlas/engine/claim"
	"attnatlas/web/address"
)

// OneWordChanged is the first view's text with one word replaced. It has the same number of tokens, and every
// other word is at its position.
const OneWordChanged = "The bird sat on the mat because it was tired, and the dog saw it."

// First is the view of a visitor who has entered nothing yet.
var First = Scene{
	ID: "first", Text: address.DefaultText,
	View: "layer=2&dot-product.head=1&random.head=3&dense.head=3&fastformer.head=2",
	Claims: []claim.Claim{
		{Name: "dot", Mechanism: "dot-product", Layer: 2, Head: 1, What: claim.Share, Row: "dog", Col: "cat",
			Least: 0.4, Most: 1},
		instead("The stone sat on the mat because it was tired, and the dog saw it.", claim.Claim{Name: "stone",
			Mechanism: "dot-product", Layer: 2, Head: 1, What: claim.Share, Row: "dog", Col: "stone", Most: 0.25}),
		{Name: "random", Mechanism: "random", Layer: 2, Head: 3, What: claim.Share, Row: "dog", Col: "cat", Most: 0.1},
	},
}

// Walk lists the steps of the tour.
var Walk = []Scene{
	{
		ID: "compare", Text: address.DefaultText, View: "dot-product.head=4&pin=16.15",
		Claims: []claim.Claim{
			{Name: "dog", Mechanism: "dot-product", Layer: 1, Head: 4, What: claim.Share, Row: "saw", Col: "dog",
				Least: 0.7, Most: 1},
			{Name: "before", Mechanism: "dot-product", Layer: 1, Head: 4, What: claim.Previous, Least: 0.6, Most: 1},
		},
	},
	{
		ID: "change", Text: address.DefaultText, Other: OneWordChanged, View: "dot-product.head=4&pin=3.2",
		Claims: []claim.Claim{{Name: "rows", Mechanism: "dot-product", Layer: 1, Head: 4, What: claim.Rows, Least: 19,
			Most: 19}},
	},
	{
		ID: "random", Text: address.DefaultText, Other: OneWordChanged, View: "pin=3.2",
		Claims: []claim.Claim{{Name: "rows", Mechanism: "random", Layer: 1, What: claim.Rows, Most: 0}},
	},
	{
		ID: "dense", Text: address.DefaultText, Other: OneWordChanged, View: "pin=3.2",
		Claims: []claim.Claim{{Name: "rows", Mechanism: "dense", Layer: 1, What: claim.Rows, Least: 1, Most: 1}},
	},
	{
		ID: "fastformer", Text: "please set an alarm for seven in the morning", View: "layer=2&fastformer.head=2",
		Claims: []claim.Claim{{Name: "beta", Mechanism: "fastformer", Map: "beta", Layer: 2, Head: 2, What: claim.Share,
			Col: "alarm", Least: 0.35, Most: 1}},
	},
	{
		ID: "influence", Text: address.DefaultText, View: "show=influence",
		Claims: []claim.Claim{
			{Name: "fast", Mechanism: "fastformer", Map: "influence", Layer: 1, What: claim.Itself, Least: 0.18, Most: 1,
				Above: "dot"},
			{Name: "dot", Mechanism: "dot-product", Map: "influence", Layer: 1, What: claim.Itself, Most: 0.25},
		},
	},
}
