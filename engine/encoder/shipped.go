package encoder

// Topics and Sentiments are the classes of the bundled models' two classifiers.
var (
	Topics = []string{
		"auto_and_commute", "banking", "credit_cards", "home", "kitchen_and_dining",
		"meta", "small_talk", "travel", "utility", "work",
	}
	Sentiments = []string{"negative", "neutral", "positive"}
)

// Topic and Feeling are the names of the two classifiers' tasks.
const (
	Topic   = "topic"
	Feeling = "feeling"
)

// OfPairs reports whether a task is about pairs of texts.
func OfPairs(task string) bool { return task == NextSentence.Name || task == SentenceOrder.Name }

// Classifiers returns the tasks of the bundled models whose recipe does not name any.
func Classifiers() []Task {
	return []Task{{Name: Topic, Classes: Topics}, {Name: Feeling, Classes: Sentiments}}
}

// ShippedLength is the number of positions of the bundled models whose recipe does not name
// another.
const ShippedLength = 256

// Shipped returns the configuration of the bundled model with an id, for a vocabulary of the given
// size. The id names a mechanism, a stack ("bert") or both ("albert.linformer"). The configuration
// lacks the options and tasks that the recipe adds. Models that predict masked words have
// Classifiers unless their stack has its own tasks.
func Shipped(id string, vocab int) Config {
	stack, mechanism, err := Parse(id)
	if err != nil || stack == "" {
		return Config{
			Mechanism: id, Layers: 2, Width: 128, Heads: 4, Inner: 512, Length: ShippedLength,
			Vocab: vocab, Norm: PreNorm, Tasks: Classifiers(),
		}
	}
	c, err := Default(stack, mechanism, vocab)
	if err == nil && c.Objective == MaskedWords && c.Tasks == nil {
		c.Tasks = Classifiers()
	}
	return c
}
