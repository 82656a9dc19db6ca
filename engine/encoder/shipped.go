package encoder

// Topics and Sentiments are the classes of the shipped models' two classifiers.
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

// Classifiers are the tasks of those shipped models whose recipe names none.
func Classifiers() []Task {
	return []Task{{Name: Topic, Classes: Topics}, {Name: Feeling, Classes: Sentiments}}
}

// ShippedLength is the number of positions of those shipped models whose recipe names no other.
const ShippedLength = 256

// Shipped is the configuration of the shipped model of an id, for a vocabulary of that size: of a mechanism, of a stack
// ("bert") or of both ("albert.linformer"). The options and tasks that the recipe gives it are not in it. Models that
// guess masked words have Classifiers unless their stack has tasks of its own.
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
