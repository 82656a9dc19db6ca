package static_test

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"attnatlas/engine/messages"
	"attnatlas/static"
)

// textsOfScripts returns the texts in pages for scripts.
func textsOfScripts() map[string]map[string]string {
	return messages.English.Templates("script.", "reading.", "verb.")
}

// TestMessagesEqualGo: a script formats every text like Go.
func TestMessagesEqualGo(t *testing.T) {
	name := regexp.MustCompile(`{{\.(\w+)}}`)
	type saying struct {
		ID   string         `json:"id"`
		Args map[string]any `json:"args"`
	}
	var all []saying
	for id, forms := range textsOfScripts() {
		for _, n := range []int{0, 1, 2, 1234, 12345, 1234567, -12345} {
			args := map[string]any{}
			for _, m := range name.FindAllStringSubmatch(forms["other"], -1) {
				args[m[1]] = "<" + m[1] + ">"
			}
			if _, ok := args["count"]; ok {
				args["count"] = n
			} else if _, ok := args["number"]; ok {
				args["number"] = n
			}
			all = append(all, saying{id, args})
		}
	}
	if len(all) < 200 {
		t.Fatalf("only %d texts", len(all))
	}
	var got []string
	script(t, "messages.js", `globalThis.document = { documentElement: { lang: 'en' }, getElementById: () => ({ textContent: JSON.stringify(input.texts) }) };
		return input.all.map(({ id, args }) => M.t(id, args))`, map[string]any{"texts": textsOfScripts(), "all": all}, &got)
	for i, s := range all {
		if want := messages.English.Say(messages.Message{ID: s.ID, Args: s.Args}); got[i] != want {
			t.Errorf("%s is %q in the script, %q in Go", s.ID, got[i], want)
		}
	}
}

// TestEveryMessageOfScripts: scripts use every text for scripts, and no text that does not exist.
func TestEveryMessageOfScripts(t *testing.T) {
	literal := regexp.MustCompile("'(script\\.[^']*)'|`(script\\.[^`]*)`")
	part := regexp.MustCompile(`\\\$\\{.*?\\}`)
	var patterns []*regexp.Regexp
	for _, name := range files(t, "js") {
		for _, m := range literal.FindAllStringSubmatch(string(static.Content(name)), -1) {
			patterns = append(patterns, regexp.MustCompile("^"+
				part.ReplaceAllString(regexp.QuoteMeta(m[1]+m[2]), `[\w-]+(\.[\w-]+)?`)+"$"))
		}
	}
	said := make([]bool, len(patterns))
	for id := range textsOfScripts() {
		found := false
		for i, p := range patterns {
			if p.MatchString(id) {
				found, said[i] = true, true
			}
		}
		if !found && strings.HasPrefix(id, "script.") {
			t.Errorf("no script says %s", id)
		}
	}
	for i, p := range patterns {
		if !said[i] {
			t.Errorf("there is no text %s", p)
		}
	}
}

// TestNoSentenceInScripts: scripts contain no sentences, which belong in the catalogue.
func TestNoSentenceInScripts(t *testing.T) {
	comment := regexp.MustCompile(`(?m)//.*$|(?s:/\*.*?\*/)`)
	sentence := regexp.MustCompile("['\"`}]\\W?(\\pL+,?( \\pL+[,;:.’]?){2,})") // of three words
	for _, name := range files(t, "js") {
		if path.Base(name) == "palettes.js" {
			continue
		}
		for _, m := range sentence.FindAllStringSubmatch(comment.ReplaceAllString(string(static.Content(name)), ""), -1) {
			if !strings.HasPrefix(m[1], "px ") { // a font
				t.Errorf("%s says %q, which belongs into engine/messages", name, m[1])
			}
		}
	}
}
