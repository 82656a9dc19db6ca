package messages

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// style holds the rules that texts are checked against: style.toml.
type style struct {
	Words      int
	Names      string
	Unfinished string
	Terms      string
	Forbidden  []forbidden
	Exception  []struct{ ID, Rule, Why string }
}

// forbidden is a pattern that no sentence can match, in the ids that In matches.
type forbidden struct {
	In, Pattern pattern
	Why, Bad    string
}

type pattern struct{ *regexp.Regexp }

// UnmarshalText compiles the pattern.
func (p *pattern) UnmarshalText(text []byte) (err error) {
	p.Regexp, err = regexp.Compile(string(text))
	return err
}

func readStyle(t *testing.T) style {
	t.Helper()
	var s style
	data, err := os.ReadFile("style.toml")
	if err != nil {
		t.Fatal(err)
	}
	if undecoded, err := toml.Decode(string(data), &s); err != nil || len(undecoded.Undecoded()) > 0 {
		t.Fatal(err, undecoded.Undecoded())
	}
	return s
}

var (
	// A sentence begins with a capital, or with a value and a colon in a list of values.
	sentenceEnd = regexp.MustCompile(`([.?!]["”)*]*)\s+([\p{Lu}\p{Lo}“*{]|[a-z][\w-]*: )`)
	citation    = regexp.MustCompile(` \([^()]*\d{4}[^()]*\)`)
	placeholder = regexp.MustCompile(`{{\.\w+}}`)
	quoted      = regexp.MustCompile(`“[^”]*”|\*[^*]*\*`)
	hasWord     = regexp.MustCompile(`[\pL\pN]`)
	capitalised = regexp.MustCompile(`[\pL\pN,;)] \(?([A-Z]\p{Ll}[\pL’]*)`)
	cutOff      = regexp.MustCompile(`^[ ,.;]|[ ,]$`)
)

// sentences splits a text at the ends of its sentences and lines.
func sentences(text string) []string {
	text = sentenceEnd.ReplaceAllString(text, "$1\n$2")
	return slices.DeleteFunc(strings.Split(text, "\n"), func(s string) bool { return s == "" })
}

// faults returns the rules that a text breaks, each with the words that break it.
func (s style) faults(id, text string) map[string]string {
	found := map[string]string{}
	for _, sentence := range sentences(text) {
		bare := placeholder.ReplaceAllString(sentence, "x")
		words := slices.DeleteFunc(strings.Fields(citation.ReplaceAllString(bare, "")),
			func(w string) bool { return !hasWord.MatchString(w) })
		if len(words) > s.Words {
			found["long"] = sentence
		}
		if strings.Count(bare+" ", ": ") > 1 {
			found["colon"] = sentence
		}
		if strings.Count(bare, ";") > 1 {
			found["semicolon"] = sentence
		}
		for _, m := range capitalised.FindAllStringSubmatch(quoted.ReplaceAllString(placeholder.ReplaceAllString(sentence,
			"…"), "x"), -1) {
			if name, _, _ := strings.Cut(m[1], "’"); !slices.Contains(strings.Fields(s.Names), name) {
				found["case"] = name
			}
		}
	}
	last := text[strings.LastIndexAny(text, " \n")+1:]
	if cutOff.MatchString(text) || strings.Contains(text, " ") && slices.Contains(strings.Fields(s.Unfinished), last) {
		found["continues"] = text
	}
	for _, f := range s.Forbidden {
		if f.In.Regexp != nil && !f.In.MatchString(id) {
			continue
		}
		for _, sentence := range sentences(text) {
			if m := f.Pattern.FindString(placeholder.ReplaceAllString(sentence, "x")); m != "" {
				found[f.Why] = m
			}
		}
	}
	return found
}

// TestStyle: all texts follow the rules.
func TestStyle(t *testing.T) {
	s := readStyle(t)
	excepted := map[string]bool{}
	for id, forms := range English.texts {
		for _, text := range forms {
			for rule, words := range s.faults(id, text) {
				if s.excepts(id, rule) {
					excepted[id+" "+rule] = true
				} else {
					t.Errorf("%s: %s: %q", id, rule, words)
				}
			}
		}
	}
	for _, e := range s.Exception {
		if English.texts[e.ID] == nil || e.Why == "" {
			t.Errorf("the exception for %s names no text, or no reason", e.ID)
		} else if !excepted[e.ID+" "+e.Rule] {
			t.Errorf("%s keeps the rule %q: it needs no exception", e.ID, e.Rule)
		}
	}
}

func (s style) excepts(id, rule string) bool {
	for _, e := range s.Exception {
		if e.ID == id && e.Rule == rule {
			return true
		}
	}
	return false
}

// TestStyleRules: each rule reports its example sentence, and one sentence for each other rule.
func TestStyleRules(t *testing.T) {
	s := readStyle(t)
	for _, f := range s.Forbidden {
		if s.faults("error.x", f.Bad)[f.Why] == "" {
			t.Errorf("%q passes the rule %q", f.Bad, f.Why)
		}
	}
	for rule, bad := range map[string]string{
		"long":      "Done. " + strings.Repeat("word ", s.Words+1),
		"colon":     "One: {{.two}}: three.",
		"semicolon": "one; two; three",
		"case":      "Compare Both Maps",
		"continues": "one frame of",
	} {
		if s.faults("x", bad)[rule] == "" {
			t.Errorf("%q passes the rule %q", bad, rule)
		}
	}
	for _, bad := range []string{", and more", "then ", "word,"} {
		if s.faults("x", bad)["continues"] == "" {
			t.Errorf("%q passes as a whole text", bad)
		}
	}
	const good = "Choose “Display”: the maps follow. Fastformer, by *Wu* et al. (2021), is linear in N. one: yes. two: no. 垫 is 垫: done."
	if got := s.faults("error.x", good); len(got) > 0 {
		t.Error(got)
	}
}

// TestGlossary: every term of the field that a text uses has a definition of one or two sentences.
func TestGlossary(t *testing.T) {
	s := readStyle(t)
	forms := map[string]bool{}
	for _, term := range English.Terms() {
		for _, form := range term.Forms {
			if forms[strings.ToLower(form)] {
				t.Errorf("%q has two definitions", form)
			}
			forms[strings.ToLower(form)] = true
		}
		if n := len(sentences(term.Says)); n < 1 || n > 2 {
			t.Errorf("%s has a definition of %d sentences", term.Name, n)
		}
	}
	for term := range strings.Lines(strings.TrimSpace(s.Terms)) {
		term = strings.TrimSpace(term)
		used := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(term) + `s?\b`)
		for id, texts := range English.texts {
			if !strings.HasPrefix(id, termPrefix) && used.MatchString(texts["other"]) && !forms[strings.ToLower(term)] {
				t.Errorf("%s uses %q, which the glossary lacks", id, term)
			}
		}
	}
}
