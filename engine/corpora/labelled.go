package corpora

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
)

// intents returns lines of the form "domain TAB intent TAB text". Texts that are out of scope go to
// separate files.
func (o Options) intents() (files, error) {
	const folder = "oos-eval/data/"
	var domains map[string][]string
	var full map[string][][2]string
	for name, to := range map[string]any{"domains.json": &domains, "data_full.json": &full} {
		text, err := o.read(folder + name)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, to); err != nil {
			return nil, wrong(folder+name, err.Error())
		}
	}
	domain := map[string]string{"oos": "oos"}
	for name, intents := range domains {
		for _, intent := range intents {
			domain[intent] = name
		}
	}
	made := files{}
	for part, name := range map[string]string{
		"train": "train.tsv", "val": "valid.tsv", "test": "test.tsv",
		"oos_train": "oos-train.tsv", "oos_val": "oos-valid.tsv", "oos_test": "oos-test.tsv",
	} {
		for _, query := range full[part] {
			if domain[query[1]] == "" {
				return nil, wrong(folder+"domains.json", query[1])
			}
			line := oneColumn.Replace(domain[query[1]]) + "\t" + oneColumn.Replace(query[1]) + "\t" + oneColumn.Replace(query[0])
			made[name] = append(made[name], line)
		}
	}
	return shuffled(made), nil
}

// oneColumn replaces the characters that would end a column or a line.
var oneColumn = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

// groups assigns the labels of GoEmotions to sentiments and to the emotions of Ekman.
var groups = []struct{ sentiment, ekman, labels string }{
	{"negative", "anger", "anger annoyance disapproval"},
	{"negative", "disgust", "disgust"},
	{"negative", "fear", "fear nervousness"},
	{"negative", "sadness", "disappointment embarrassment grief remorse sadness"},
	{"positive", "joy", "admiration amusement approval caring desire excitement gratitude joy love optimism pride relief"},
	{"ambiguous", "surprise", "confusion curiosity realization surprise"}, //nolint:misspell // GoEmotions spells it so
	{"neutral", "neutral", "neutral"},
}

// firstNames are the names that replace [NAME].
var firstNames = strings.Fields("Alex Ben Chris Dana Emma Jack Kate Lisa Mark Nina Paul Sam Tom")

// feelings returns lines of the form "sentiment TAB ekman TAB labels TAB text".
func (o Options) feelings() (files, error) {
	const folder = "GoEmotions-pytorch/data/original/"
	names, err := o.lines(folder + "labels.txt")
	if err != nil {
		return nil, err
	}
	made, seen := files{}, map[string]bool{}
	for part, name := range map[string]string{"train": "train.tsv", "dev": "valid.tsv", "test": "test.tsv"} {
		lines, err := o.lines(folder + part + ".tsv")
		if err != nil {
			return nil, err
		}
		for _, line := range lines {
			columns := strings.Split(line, "\t")
			if len(columns) < 2 {
				continue
			}
			labels, err := labelsOf(columns[1], names)
			if err != nil {
				return nil, wrong(path.Join(folder, part+".tsv"), line)
			}
			text := named(straight(columns[0]))
			if key := name + letters(text); len(strings.Fields(text)) >= 3 && o.decent(text) &&
				!strings.Contains(text, "[RELIGION]") && !seen[key] {
				seen[key] = true
				made[name] = append(made[name], described(labels)+"\t"+text)
			}
		}
	}
	return shuffled(made), nil
}

// labelsOf returns the names of a list of label numbers, such as "3,17".
func labelsOf(numbers string, names []string) (labels []string, err error) {
	for number := range strings.SplitSeq(numbers, ",") {
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n >= len(names) {
			return nil, strconv.ErrRange
		}
		labels = append(labels, oneColumn.Replace(names[n]))
	}
	slices.Sort(labels)
	return labels, nil
}

// described returns the sentiment, the emotions and the labels of a text. Neutral is ignored if
// there are other labels, and ambiguous ones are ignored in the sentiment. Positive and negative
// labels together give the sentiment "mixed".
func described(labels []string) string {
	var sentiments, emotions []string
	for _, g := range groups {
		if slices.ContainsFunc(strings.Fields(g.labels), func(label string) bool { return slices.Contains(labels, label) }) {
			sentiments, emotions = append(sentiments, g.sentiment), append(emotions, g.ekman)
		}
	}
	if len(emotions) > 1 {
		emotions = slices.DeleteFunc(emotions, func(e string) bool { return e == "neutral" })
	}
	slices.Sort(emotions)
	sentiment := "neutral"
	for _, s := range []string{"ambiguous", "negative", "positive"} {
		if slices.Contains(sentiments, s) {
			sentiment = s
		}
	}
	if slices.Contains(sentiments, "negative") && slices.Contains(sentiments, "positive") {
		sentiment = "mixed"
	}
	return sentiment + "\t" + strings.Join(emotions, "+") + "\t" + strings.Join(labels, "+")
}

// named replaces [NAME] by a first name, which is always the same for the same text.
func named(text string) string {
	sum := uint32(0)
	for _, r := range text {
		sum += uint32(r)
	}
	return strings.ReplaceAll(text, "[NAME]", firstNames[sum%uint32(len(firstNames))])
}
