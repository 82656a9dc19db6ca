package scene

import (
	"attnatlas/engine/claim"
	"attnatlas/web/address"
)

// Gallery lists the examples, grouped by what they show.
var Gallery = []Group{
	{"neighbours", neighbours}, {"far", far}, {"summary", summary}, {"guess", guesses},
	{"cut", cut}, {"same", same}, {"reach", reach}, {"depth", depth}, {"signs", signs},
}

// head is a head of a mechanism. Layers and heads count from 1.
type head struct {
	mechanism   string
	layer, head int
}

// reading returns the claim that a word attends to another in a head.
func reading(name string, in head, row, col string) claim.Claim {
	return claim.Claim{Name: name, Mechanism: in.mechanism, Layer: in.layer, Head: in.head, What: claim.Share, Row: row,
		Col: col, Most: 1}
}

// atLeast returns a claim with a lower bound.
func atLeast(least float64, c claim.Claim) claim.Claim {
	c.Least = least
	return c
}

// instead returns a claim about another text, in which words are moved or replaced. A statement about a cause must
// still be true there, or its sentence must say that it is not.
func instead(text string, c claim.Claim) claim.Claim {
	c.Text = text
	return c
}

var neighbours = []Scene{
	{
		ID: "the-word-before", View: "m=bert,factorized-random,dot-product,random&bert.head=2&factorized-random.head=3",
		Text: "The old woman gave the boy a small red apple.",
		Claims: []claim.Claim{
			{Name: "bert", Mechanism: "bert", Layer: 1, Head: 2, What: claim.Previous, Least: 0.8, Most: 1},
			{Name: "random", Mechanism: "factorized-random", Layer: 1, Head: 3, What: claim.Previous, Least: 0.8, Most: 1},
		},
	},
	{
		ID: "one-head-each-way", View: "m=dot-product,poolingformer,sandwich,random&dot-product.head=4&poolingformer.head=2&sandwich.head=4",
		Text: "She put the key on the table and went to bed.",
		Claims: []claim.Claim{
			{Name: "before", Mechanism: "dot-product", Layer: 1, Head: 4, What: claim.Previous, Least: 0.6, Most: 1},
			{Name: "after", Mechanism: "poolingformer", Layer: 1, Head: 2, What: claim.Next, Least: 0.6, Most: 1},
		},
	},
	{
		ID: "what-was-not-liked", View: "m=bert,longformer,dot-product,random&bert.head=2",
		Text: "I did not like the rain, but I liked the wind.",
		Claims: []claim.Claim{
			atLeast(0.8, reading("not", head{"bert", 1, 2}, "like", "not")),
			instead("I did really like the rain, but I liked the wind.",
				atLeast(0.7, reading("really", head{"bert", 1, 2}, "like", "really"))),
		},
	},
	{
		ID: "a-list", View: "m=universal,sandwich,gpt2,bert&layer=3&universal.head=2",
		Text: "She packed a map, a knife, a rope, a lamp, a blanket and a bottle of water.",
		Claims: []claim.Claim{
			atLeast(0.4, reading("commas", head{"universal", 3, 2}, ",", ",")),
			instead(otherCommas, atLeast(0.35, reading("commas2", head{"universal", 3, 2}, ",", ","))),
		},
	},
}

// otherCommas has its commas at other positions than the list.
const otherCommas = "The man, who was old, sat down, and the dog, too, slept."

var far = []Scene{
	{
		ID: "agreement", View: "m=gpt2,bert,sandwich,albert&layer=3&gpt2.head=2&pin=11.3",
		Text: "The children of the old king in the castle were very happy.",
		Claims: []claim.Claim{
			atLeast(0.4, reading("children", head{"gpt2", 3, 2}, "were", "children")),
			instead("The king of the old children in the castle was very happy.",
				atLeast(0.4, reading("was", head{"gpt2", 3, 2}, "was", "children"))),
		},
	},
	{
		ID: "whose-dog", View: "m=bert,gpt2,sandwich,reversible&bert.head=4&pin=9.3",
		Text: "The girl lost her dog, and she looked for it everywhere.",
		Claims: []claim.Claim{
			atLeast(0.35, reading("girl", head{"bert", 1, 4}, "she", "girl")),
			instead("The stone lost her dog, and she looked for it everywhere.",
				claim.Claim{Name: "stone", Mechanism: "bert", Layer: 1, Head: 4, What: claim.Share, Row: "she", Col: "stone", Most: 0.25}),
			instead("The girl lost her dog, and he looked for it everywhere.",
				atLeast(0.3, reading("he", head{"bert", 1, 4}, "he", "girl"))),
		},
	},
	{
		ID: "his-son", View: "m=mixture-rdv,mixture-rv,dot-product,random&layer=2&mixture-rdv.head=4&pin=5.3",
		Text: "The king gave his son a horse.",
		Claims: []claim.Claim{
			atLeast(0.25, reading("king", head{"mixture-rdv", 2, 4}, "his", "king")),
			instead("The table gave his son a horse.",
				atLeast(0.25, reading("table", head{"mixture-rdv", 2, 4}, "his", "table"))),
		},
	},
	{
		ID: "what-was-good", View: "m=gpt2,bert,sandwich,universal&layer=2&gpt2.head=1&pin=13.11",
		Text: "I did not like the soup, but the bread was very good.",
		Claims: []claim.Claim{
			atLeast(0.4, reading("bread", head{"gpt2", 2, 1}, "good", "bread")),
			{Name: "soup", Mechanism: "gpt2", Layer: 2, Head: 1, What: claim.Share, Row: "good", Col: "soup", Most: 0.15},
			instead(otherFood, atLeast(0.35, reading("meat", head{"gpt2", 2, 1}, "good", "meat"))),
		},
	},
	{
		ID: "quoted-speech", View: "m=dot-product,gpt2,random,fastformer&dot-product.head=1",
		Text: `"Where have you been?" asked the old woman. "I have been to the river," said the boy, "and I am cold."`,
		Claims: []claim.Claim{
			atLeast(0.35, reading("quotes", head{"dot-product", 1, 1}, `"`, `"`)),
			instead(`"I am cold," said the boy. "Come in," said the old woman, "and sit down."`,
				atLeast(0.35, reading("others", head{"dot-product", 1, 1}, `"`, `"`))),
		},
	},
	{
		ID: "a-question", View: "m=dense,dot-product,mixture-rdv,random&layer=2&dense.head=4&pin=6.2",
		Text: "What is your name? My name is Anna.",
		Claims: []claim.Claim{
			atLeast(0.35, reading("what", head{"dense", 2, 4}, "?", "What")),
			instead(questionLast, claim.Claim{Name: "my", Mechanism: "dense", Layer: 2, Head: 4, What: claim.Share, Row: "?",
				Col: "My", Least: 0.15, Most: 1, Above: "late"}),
			instead(questionLast, claim.Claim{Name: "late", Mechanism: "dense", Layer: 2, Head: 4, What: claim.Share, Row: "?",
				Col: "What", Most: 0.05}),
		},
	},
}

// Second texts of two examples.
const (
	otherFood    = "I did not like the bread, but the meat was very good."
	questionLast = "My name is Anna. What is your name?"
)

var summary = []Scene{
	{
		ID: "one-deciding-word", View: "m=fastformer,dot-product,dense,random&layer=2&fastformer.head=2",
		Text: "i want to book a flight for tomorrow morning",
		Claims: []claim.Claim{
			{Name: "beta", Mechanism: "fastformer", Map: "beta", Layer: 2, Head: 2, What: claim.Share, Col: "flight",
				Least: 0.5, Most: 1},
			saying("topic", "fastformer", "topic", "travel"),
			instead("i want to book a [MASK] for tomorrow morning", saying("masked", "fastformer", "topic", "utility")),
		},
	},
	{
		ID: "a-request", View: "m=fastformer,dot-product,dense,random&layer=2&fastformer.head=2",
		Text: twoSided,
		Claims: []claim.Claim{
			{Name: "pay", Mechanism: "fastformer", Map: "beta", Layer: 2, Head: 2, What: claim.Share, Col: "pay",
				Least: 0.15, Most: 1},
			{Name: "hotel", Mechanism: "fastformer", Map: "beta", Layer: 2, Head: 2, What: claim.Share, Col: "hotel",
				Least: 0.15, Most: 1},
			saying("travel", "fastformer", "topic", "travel"),
			saying("banking", "dot-product", "topic", "banking"),
		},
	},
	{
		ID: "a-film", View: "m=fastformer,dot-product,dense,random&layer=2",
		Text: "I expected to hate this film, but it was not boring at all; the ending was beautiful.",
		Claims: []claim.Claim{
			saying("dot", "dot-product", "feeling", "positive"), saying("fast", "fastformer", "feeling", "negative"),
			without("word:13", saying("without", "fastformer", "feeling", "positive")),
		},
	},
	{
		ID: "no-pairs-at-all", View: "m=fastformer,dot-product,dense,random&show=influence",
		Text: "The moon rose slowly over the quiet hills.",
		Claims: []claim.Claim{
			{Name: "fast", Mechanism: "fastformer", Map: "influence", Layer: 1, What: claim.Itself, Least: 0.25, Most: 1},
			{Name: "dot", Mechanism: "dot-product", Map: "influence", Layer: 1, What: claim.Itself, Most: 0.25},
		},
	},
}

// without returns a claim about a text with an ablation.
func without(cut string, c claim.Claim) claim.Claim {
	c.Cut = cut
	return c
}

// twoSided is a request about both money and a journey.
const twoSided = "what did i pay for the hotel in paris"

// saying returns the claim about a classifier's answer.
func saying(name, mechanism, task, class string) claim.Claim {
	return claim.Claim{Name: name, Mechanism: mechanism, Map: task, What: claim.Guess, Col: class, Least: 0.6, Most: 1}
}

// predicting returns the claim that a word is a model's first prediction for the masked word.
func predicting(name, mechanism, word string) claim.Claim {
	return claim.Claim{Name: name, Mechanism: mechanism, What: claim.Predicted, Row: "[MASK]", Col: word, Most: 1}
}

var cut = []Scene{
	{
		ID: "without-not", View: "m=fastformer,dot-product,dense,random&layer=2&cut=word:5",
		Text: "The food was not good.",
		Claims: []claim.Claim{
			saying("before", "fastformer", "feeling", "negative"),
			without("word:5", saying("fast", "fastformer", "feeling", "positive")),
			without("word:5", saying("random", "random", "feeling", "positive")),
		},
	},
	{
		ID: "one-word-one-head", View: "m=fastformer,dense,dot-product,random&layer=2&fastformer.head=2&fastformer.cut=word:9&dot-product.cut=head:1.3",
		Text: twoSided,
		Claims: []claim.Claim{
			saying("travel", "fastformer", "topic", "travel"),
			without("word:9", saying("fast", "fastformer", "topic", "banking")),
			saying("banking", "dot-product", "topic", "banking"),
			without("head:1.3", saying("dot", "dot-product", "topic", "travel")),
		},
	},
}

var guesses = []Scene{
	{
		ID: "a-hidden-word", View: "m=dense,random,dot-product,fastformer&layer=2",
		Text: "He rode his [MASK] to school.",
		Claims: []claim.Claim{
			predicting("dense", "dense", "bike"), predicting("dot", "dot-product", "bike"),
			predicting("fast", "fastformer", "school"),
		},
	},
	{
		ID: "a-race", View: "m=random,dot-product,dense,fastformer&race=1&was=apple",
		Text: "He ate an [MASK] for breakfast.",
		Claims: []claim.Claim{
			predicting("dot", "dot-product", "apple"), predicting("random", "random", "apple"),
			predicting("fast", "fastformer", "lot"),
		},
	},
	{
		ID: "the-next-word", View: "m=gpt2,dot-product,dense,random&layer=1&pin=3.2",
		Text: "Once there was a king who had two sons.",
		Claims: []claim.Claim{{Name: "was", Mechanism: "gpt2", What: claim.Hidden, Row: "there", Col: "was",
			Least: 0.2, Most: 1}},
	},
	{
		ID: "two-sentences", View: "m=bert,albert,dot-product,random&layer=1",
		Text: "The old man was very tired. ||| He sat down on a chair.",
		Claims: []claim.Claim{{Name: "follows", Mechanism: "bert", Map: "next sentence", What: claim.Guess, Col: "follows",
			Least: 0.6, Most: 1}},
	},
	{
		ID: "two-that-do-not-fit", View: "m=bert,albert,dot-product,random&layer=1",
		Text: "The old man was very tired. ||| I like bread with cheese.",
		Claims: []claim.Claim{{Name: "elsewhere", Mechanism: "bert", Map: "next sentence", What: claim.Guess,
			Col: "from elsewhere", Least: 0.6, Most: 1}},
	},
	{
		ID: "backwards", View: "m=encoder-decoder,bert,gpt2,dot-product&layer=2",
		Text:   "the dog chased the man and the man chased the dog",
		Claims: []claim.Claim{{Name: "right", Mechanism: "encoder-decoder", What: claim.Right, Least: 11, Most: 11}},
	},
}

var same = []Scene{
	{
		ID: "same-words-other-order", View: "m=random,fixed-random,dot-product,dense",
		Text: "The dog chased the man.", Other: "The man chased the dog.",
		Claims: []claim.Claim{
			{Name: "random", Mechanism: "random", Layer: 1, What: claim.Rows, Most: 0},
			{Name: "dot", Mechanism: "dot-product", Layer: 1, What: claim.Rows, Least: 8, Most: 8},
		},
	},
	{
		ID: "one-word-changed", View: "m=dense,factorized-dense,dot-product,random",
		Text: address.DefaultText, Other: OneWordChanged,
		Claims: []claim.Claim{
			{Name: "dense", Mechanism: "dense", Layer: 1, What: claim.Rows, Least: 1, Most: 1},
			{Name: "dot", Mechanism: "dot-product", Layer: 1, What: claim.Rows, Least: 19, Most: 19},
		},
	},
	{
		ID: "repeated-words", View: "m=reversible,reformer,dot-product,random&layer=2",
		Text: "the dog chased the man and the man chased the dog",
		Claims: []claim.Claim{
			{Name: "same", Mechanism: "reversible", Layer: 2, Head: 1, What: claim.Same, Least: 2, Most: 3},
			{Name: "others", Mechanism: "reversible", Layer: 2, Head: 1, What: claim.Same, Least: 2, Most: 3,
				Text: "a red bird and a blue bird sang to a red flower and a blue flower"},
		},
	},
	{
		ID: "red-and-blue", View: "m=mixture-rv,mixture-dv,mixture-rd,mixture-rdv&layer=2&mixture-rv.head=4",
		Text: "red blue red green blue black green white black white",
		Claims: []claim.Claim{
			{Name: "same", Mechanism: "mixture-rv", Layer: 2, Head: 4, What: claim.Same, Least: 1.5, Most: 3, Above: "others"},
			{Name: "others", Mechanism: "mixture-rv", Layer: 2, Head: 4, What: claim.Same, Most: 0.9,
				Text: "red blue green black white white black green blue red"},
		},
	},
}

// story is a text that is long enough for windows, blocks and slots.
const story = "In a small village by the sea there lived an old man who made boats. Every morning he walked down to the water, " +
	"looked at the sky, and said what the wind would do. The children laughed at him, but the fishermen listened."

var reach = []Scene{
	{
		ID: "nothing-ahead", View: "m=dot-product,dense,random,mixture-rv&mask=causal",
		Text: address.DefaultText,
		Claims: []claim.Claim{{Name: "cells", Mechanism: "dot-product", Layer: 1, What: claim.Reachable, Least: 0.526,
			Most: 0.527}},
	},
	{
		ID: "a-window", View: "m=longformer,bigbird,poolingformer,dot-product", Text: story,
		Claims: []claim.Claim{{Name: "cells", Mechanism: "longformer", Layer: 1, What: claim.Reachable, Least: 0.19, Most: 0.2}},
	},
	{
		ID: "blocks", View: "m=bigbird,longformer,reformer,dot-product", Text: story,
		Claims: []claim.Claim{{Name: "cells", Mechanism: "bigbird", Layer: 1, What: claim.Reachable, Least: 0.34, Most: 0.35}},
	},
	{
		ID: "slots", View: "m=linformer,linear,fastformer,dot-product", Text: story,
		Claims: []claim.Claim{{Name: "slots", Mechanism: "linformer", Map: "weights", Layer: 1, What: claim.Columns,
			Least: 8, Most: 8}},
	},
	{
		ID: "two-windows", View: "m=poolingformer,longformer,bigbird,dot-product&poolingformer.head=4", Text: story,
		Claims: []claim.Claim{
			{Name: "before", Mechanism: "poolingformer", Layer: 1, Head: 4, What: claim.Previous, Least: 0.7, Most: 1},
			{Name: "slots", Mechanism: "poolingformer", Map: "slots", Layer: 1, What: claim.Columns, Least: 27, Most: 27},
		},
	},
	{
		ID: "buckets", View: "m=reformer,reversible,bigbird,dot-product&reformer.head=1", Text: story,
		Claims: []claim.Claim{
			{Name: "buckets", Mechanism: "reformer", Map: "buckets", Layer: 1, Head: 1, What: claim.Classes, Col: "*",
				Least: 11, Most: 15},
			{Name: "cells", Mechanism: "reformer", Layer: 1, Head: 1, What: claim.Reachable, Least: 0.2, Most: 0.3},
		},
	},
	{
		ID: "butterfly", View: "m=shuffle-exchange,residual-shuffle-exchange,dot-product,random", Text: address.DefaultText,
		Claims: []claim.Claim{
			{Name: "near", Mechanism: "shuffle-exchange", Layer: 1, What: claim.Cell, Row: "cat", Col: "The",
				Least: 2, Most: 2},
			{Name: "far", Mechanism: "shuffle-exchange", Layer: 1, What: claim.Cell, Row: "cat", Col: "dog", Least: 4, Most: 4},
		},
	},
	{
		ID: "no-matrix", View: "m=linear,dot-product,linformer,fastformer&linear.head=2", Text: address.DefaultText,
		Claims: []claim.Claim{{Name: "marks", Mechanism: "linear", Layer: 1, Head: 2, What: claim.Marks,
			Least: 0.35, Most: 1}},
	},
}

var depth = []Scene{
	{
		ID: "pondering", View: "m=universal,albert,bert,dot-product", Text: address.DefaultText,
		Claims: []claim.Claim{
			{Name: "cat", Mechanism: "universal", Map: "updates", What: claim.Cell, Col: "cat", Least: 4, Most: 6,
				Above: "stop"},
			{Name: "stop", Mechanism: "universal", Map: "updates", What: claim.Cell, Col: ".", Least: 1, Most: 4},
		},
	},
	{
		ID: "the-same-weights", View: "m=albert,universal,bert,gpt2&layer=3&albert.head=4", Text: address.DefaultText,
		Claims: []claim.Claim{
			{Name: "third", Mechanism: "albert", Layer: 3, Head: 4, What: claim.Itself, Least: 0.15, Most: 1, Above: "first"},
			{Name: "first", Mechanism: "albert", Layer: 1, Head: 4, What: claim.Itself, Most: 0.1},
		},
	},
	{
		ID: "mix-early", View: "m=sandwich,bert,dot-product,random&sandwich.head=4", Text: address.DefaultText,
		Claims: []claim.Claim{{Name: "before", Mechanism: "sandwich", Layer: 1, Head: 4, What: claim.Previous,
			Least: 0.7, Most: 1}},
	},
	{
		ID: "two-streams", View: "m=reversible,bert,gpt2,albert&layer=2&reversible.head=2",
		Text: "Why did the old woman laugh?",
		Claims: []claim.Claim{
			atLeast(0.5, reading("why", head{"reversible", 2, 2}, "?", "Why")),
			instead("Then did the old woman laugh?", atLeast(0.2, reading("then", head{"reversible", 2, 2}, "?", "Then"))),
			instead("Tell me. Why did the old woman laugh?",
				atLeast(0.4, reading("late", head{"reversible", 2, 2}, "?", "Why"))),
		},
	},
}

var signs = []Scene{
	{
		ID: "brackets", View: "m=reversible,bert,gpt2,albert&reversible.head=2",
		Text: "if (a > b) { return a; } else { return b; }",
		Claims: []claim.Claim{
			atLeast(0.35, reading("open", head{"reversible", 1, 2}, "}", "{")),
			instead("while (x) { y = 1; x = 0; } if (y) { x = y; }",
				atLeast(0.25, reading("other", head{"reversible", 1, 2}, "}", "{"))),
		},
	},
	{
		ID: "chinese", View: "m=bert,poolingformer,dot-product,random&bert.head=2", Text: "小猫坐在垫子上，因为小猫很累。小狗也坐在地上。",
		Claims: []claim.Claim{{Name: "before", Mechanism: "bert", Layer: 1, Head: 2, What: claim.Previous,
			Least: 0.8, Most: 1}},
	},
	{
		ID: "bytes", View: "m=poolingformer,factorized-random,bert,dot-product&poolingformer.head=4",
		Text: "Ωmega 🙂 naïve שלום",
		Claims: []claim.Claim{{Name: "before", Mechanism: "poolingformer", Layer: 1, Head: 4, What: claim.Previous,
			Least: 0.5, Most: 1}},
	},
	{
		ID: "there-and-back", View: "m=reformer,gpt2,dot-product,random&reformer.head=1",
		Text: "red blue green black white white black green blue red",
		Claims: []claim.Claim{
			{Name: "same", Mechanism: "reformer", Layer: 1, Head: 1, What: claim.Same, Least: 2, Most: 3},
			{Name: "other", Mechanism: "reformer", Layer: 1, Head: 1, What: claim.Same, Most: 0.5,
				Text: "red blue red green blue black green white black white"},
		},
	},
}
