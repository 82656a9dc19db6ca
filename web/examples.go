package web

import "attnatlas/components"

// examples are the curated texts of the menu; the first is the default. What
// some say is to be seen was seen with the shipped weights.
var examples = []components.Example{
	{Title: "Neighbours and meanings", Text: DefaultText, Look: "Layer 1: learned random has grown bands next to the diagonal. Dot product has such heads too, and others that depend on the words.", Shipped: true},
	{Title: "Repeated words", Text: "The cat sat on the mat because the cat was very tired, and the dog sat on the floor.", Look: "Dot product, layer 2: head 2 joins the two cats, head 4 the two sat. Learned random cannot: its map is the same for every text.", Shipped: true},
	{Title: "Quoted speech", Text: `"Where have you been?" asked the old woman. "I have been to the river," said the boy, "and I am cold."`, Look: "Dot product, layer 2, head 1: the quotation marks read said and asked.", Shipped: true},
	{Title: "A request", Text: "i want to book a flight to paris but my credit card was declined", Look: "Fastformer: β rests on flight, declined and card, the words that decide the topic.", Shipped: true},
	{Title: "One deciding word", Text: "what is the capital gain on my insurance", Look: "Fastformer, layer 2: β gives insurance the largest share.", Shipped: true},
	{Title: "Negation and feeling", Text: "I expected to hate this film, but it was not boring at all; the ending was beautiful.", Look: "Fastformer, layer 2: β picks beautiful, hate and boring. The guess below the maps is negative all the same: small models are often wrong.", Shipped: true},
	{Title: "There and back", Text: "one two three four five six six five four three two one", Look: "The second half mirrors the first. Learned random keeps its bands whatever the numbers are; does dot product notice?"},
	{Title: "Same words, other order", Text: "The dog chased the man. The man chased the dog.", Look: "The two halves have the same words. Compare their rows: what can each mechanism see?"},
	{Title: "A word and its antecedent", Text: "The trophy did not fit in the suitcase because it was too big.", Look: "What does it read? No mechanism was taught what it means; look at the row in every head."},
	{Title: "Long-distance agreement", Text: "The keys to the old wooden cabinet in the corner of the kitchen were on the table.", Look: "Does were find keys, or the nearer kitchen? Bands cannot reach that far."},
	{Title: "A list", Text: "She packed a map, a knife, a rope, a lamp, a blanket and a bottle of water.", Look: "The commas and the word a repeat with a period of three. Swap two things: learned random does not notice."},
	{Title: "A masked word", Text: "The cat sat on the [MASK] and looked at the moon.", Look: "From where does the gap read, and what is guessed behind it? Hide other words with the bar beside them."},
	{Title: "Two sentences", Text: "The old man was very tired. ||| He sat down on a chair.", Look: "A line parts the texts. BERT and ALBERT are told which token is of which, and judge whether B belongs to A; to the others it is one text with [SEP] in it."},
	{Title: "A story's first sentence", Text: "The Time Traveller (for so it will be convenient to speak of him) was expounding a recondite matter to us.", Look: "H. G. Wells, 1895. Rare words fall into pieces; in layer 1, head 2 of dot product each piece reads the one before it.", Shipped: true},
	{Title: "Chinese", Text: "小猫坐在垫子上，因为小猫很累。小狗也坐在地上。", Look: "One Han character is one piece; 垫, which the vocabulary lacks, is its three bytes."},
	{Title: "Letters that the vocabulary lacks", Text: "Ωmega 🙂 naïve שלום", Look: "A character without a piece becomes its UTF-8 bytes; nothing is unknown."},
}

// exampleLinks are the examples as links that keep everything but the text.
func exampleLinks(s State, address func(State) string) []components.Example {
	links := make([]components.Example, len(examples))
	for i, e := range examples {
		e.Current = e.Text == s.Text
		there := s
		there.Text, there.Pin, there.Was = e.Text, Pin{}, nil
		e.URL = address(there)
		links[i] = e
	}
	return links
}
