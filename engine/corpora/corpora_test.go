package corpora

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"attnatlas/engine/gaps"
)

// sources returns small files in the formats of the sources.
func sources() fstest.MapFS {
	long := "<p>" + strings.Repeat("A short sentence stands here. ", 80) + "</p>"
	var story strings.Builder
	for i := range 9 {
		fmt.Fprintf(&story, "<p>Paragraph %d — “it’s told,” he said, and went on for quite a while, so that ten of them make passages.</p>\n", i)
	}
	xhtml := `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><section><header><p>By nobody</p></header><h2>Title</h2>` +
		`<p>First<a epub:type="noteref" href="#n">99</a> words of it.</p>` + story.String() + long +
		`<table><tr><td><p>A table.</p></td></tr></table></section></body></html>`
	return fstest.MapFS{
		"standardebooks/some-author_short-fiction/src/epub/text/a-story.xhtml": {Data: []byte(xhtml)},
		"standardebooks/some-author_short-fiction/src/epub/text/colophon.xhtml": {Data: []byte(strings.ReplaceAll(xhtml,
			"Paragraph", "Nothing"))},
		"common-voice/server/data/en/a.txt":           {Data: []byte("He said “no” to it.\nTwo words\nhe said no to it!\nA bloody mess it was.\n")},
		"common-voice/server/data/zh-CN/a.txt":        {Data: []byte("小猫坐在垫子上。\nABC 小猫 DE\n小猫\n")},
		"common-voice/server/data/zh-TW/a.txt":        {Data: []byte("天氣很好，我們走。\n")},
		"oos-eval/data/domains.json":                  {Data: []byte(`{"banking": ["transfer"], "travel": ["book_flight"]}`)},
		"oos-eval/data/data_full.json":                {Data: []byte(`{"train": [["send money", "transfer"], ["fly me", "book_flight"]], "val": [["pay him", "transfer"]], "test": [], "oos_train": [["what", "oos"]], "oos_val": [], "oos_test": []}`)},
		"GoEmotions-pytorch/data/original/labels.txt": {Data: []byte("admiration\nanger\nneutral\ncuriosity\n")},
		"GoEmotions-pytorch/data/original/train.tsv":  {Data: []byte("That’s good [NAME]!\t0\tx1\nI hate it but well done\t1,0\tx2\nWell, who knows that\t2,3\tx3\nshort one\t2\tx4\nIt is [RELIGION] to me\t2\tx5\n")},
		"GoEmotions-pytorch/data/original/dev.tsv":    {Data: []byte("It is as it is\t2\tx6\n")},
		"GoEmotions-pytorch/data/original/test.tsv":   {Data: []byte("Good to know this\t0,3\tx7\n")},
		"negation/train.tsv":                          {Data: []byte("positive\tIt was not bad.\n")}, "negation/valid.tsv": {Data: []byte("neutral\tHe sat.\n")}, "negation/test.tsv": {Data: []byte("negative\tIt was bad.\n")},
	}
}

// made returns the names of a set's files and the lines of all of them.
func made(t *testing.T, set string) (names, lines []string) {
	t.Helper()
	files, err := Options{From: sources(), Without: []string{"bloody"}}.Make(set)
	if err != nil {
		t.Fatal(set, err)
	}
	for name, text := range files.Files {
		names = append(names, name)
		for line := range strings.Lines(string(text)) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	slices.Sort(names)
	slices.Sort(lines)
	return names, lines
}

// TestSets tests which lines of each source are kept, and their format.
func TestSets(t *testing.T) {
	for set, want := range map[string]string{
		"everyday": `He said "no" to it.`,
		"chinese":  "天氣很好，我們走。|小猫坐在垫子上。",
		"intents":  "banking\ttransfer\tpay him|banking\ttransfer\tsend money|oos\toos\twhat|travel\tbook_flight\tfly me",
		"feelings": "ambiguous\tsurprise\tcuriosity+neutral\tWell, who knows that|mixed\tanger+joy\tadmiration+anger\tI hate it but well done|" +
			"neutral\tneutral\tneutral\tIt is as it is|positive\tjoy\tadmiration\tThat's good NAME!|positive\tjoy+surprise\tadmiration+curiosity\tGood to know this",
		"negation": "negative\tIt was bad.|neutral\tHe sat.|positive\tIt was not bad.",
	} {
		_, lines := made(t, set)
		got := strings.Join(lines, "|")
		for _, name := range firstNames {
			got = strings.ReplaceAll(got, "good "+name+"!", "good NAME!")
		}
		if got != want {
			t.Errorf("%s is %q, want %q", set, got, want)
		}
	}
	if names, _ := made(t, "intents"); fmt.Sprint(names) != "[oos-train.tsv train.tsv valid.tsv]" {
		t.Error(names)
	}
}

// TestPrepared: if a set has a folder, its lines come from there and not from the original source.
// Lines with a sentence on which models are tested are left out.
func TestPrepared(t *testing.T) {
	from := sources()
	from["everyday/train.txt"] = &fstest.MapFile{Data: []byte("Ready.\nIt rained. She drank a cup of milk. Then she slept.\n")}
	from["everyday/SOURCES.tsv"] = &fstest.MapFile{Data: []byte("a\tb\n")}
	from["negation/train.tsv"] = &fstest.MapFile{Data: []byte("positive\tShe drank a cup of tea!\nnegative\tNo tea.\n")}
	o := Options{From: from, Gaps: []gaps.Gap{{Text: "She drank a cup of [MASK].", Words: []string{"tea"}}}}
	for set, want := range map[string]string{"everyday": "map[train.txt:Ready.\n]",
		"negation": "map[test.tsv:negative\tIt was bad.\n train.tsv:negative\tNo tea.\n valid.tsv:neutral\tHe sat.\n]"} {
		made, err := o.Make(set)
		got := map[string]string{}
		for name, text := range made.Files {
			got[name] = string(text)
		}
		if err != nil || fmt.Sprint(got) != want || made.Dropped != 1 {
			t.Errorf("%s: %v, %v, %d dropped; want %s and 1", set, got, err, made.Dropped, want)
		}
	}
}

// TestStories: passages consist of paragraphs with plain punctuation, lie in the files of their
// story's split, and contain only stories.
func TestStories(t *testing.T) {
	names, lines := made(t, "stories")
	all := strings.Join(lines, "\n")
	if len(names) != 1 || names[0] != Split("a-story", 3)+".txt" {
		t.Error(names)
	}
	for _, no := range []string{"nobody", "Title", "table", "Nothing", "99", "“", "’"} {
		if strings.Contains(all, no) {
			t.Errorf("%q is in %s", no, all)
		}
	}
	if !strings.Contains(all, `First words of it. Paragraph 0 — "it's told," he said`) {
		t.Error(all)
	}
	for _, line := range lines {
		if n := len(strings.Fields(line)); n < 40 || n > 230 {
			t.Errorf("a passage of %d words: %s", n, line)
		}
	}
}

// TestSplit compares Split with lines of the sets on which the bundled models were trained.
func TestSplit(t *testing.T) {
	for line, want := range map[string]string{
		"'Of course twinkling begins with a T!' said the King sharply.":   "train",
		"There are four points I see as vitally important.":               "train",
		"自由民主和人道尊嚴":                                                       "train",
		"中环及田湾海旁道。":                                                       "train",
		"The determinant is the product of all eigenvectors of a matrix.": "valid",
		"A development must prove fatal to regal and papal pretensions.":  "valid",
		"这也是现在所见到的大部分完整长城。":                                               "valid",
		"黑心药品即假药和劣药。":                                                     "valid",
		"There are four general types of husbands.":                       "test",
		"There was a seance held in the salon last night.":                "test",
		"会展中心站的换乘方式为垂直换乘。":                                                "test",
		"这两次损失迫使德国海军在当年余下的时间内减少了在波罗的海的舰队活动。":                              "test",
	} {
		if got := Split(line, 2); got != want {
			t.Errorf("%q is for %s, was for %s", line, got, want)
		}
	}
}

func TestMissingAndWrong(t *testing.T) {
	for _, set := range Sets {
		if _, err := (Options{From: fstest.MapFS{}}).Make(set); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s without its source: %v", set, err)
		}
	}
	from := sources()
	from["oos-eval/data/domains.json"] = &fstest.MapFile{Data: []byte("[]")}
	from["GoEmotions-pytorch/data/original/dev.tsv"] = &fstest.MapFile{Data: []byte("text of some words\t99\tx\n")}
	for _, set := range []string{"intents", "feelings"} {
		if _, err := (Options{From: from}).Make(set); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", set, err)
		}
	}
}
