package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/messages"

	"github.com/alecthomas/kong"
)

// TestHelpMessage: all commands fit on one screen, each on a line of its own.
func TestHelpMessage(t *testing.T) {
	status, out, _ := viz(t, "--help")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) > 40 {
		t.Errorf("viz --help: status %d, %d lines", status, len(lines))
	}
	for _, line := range lines {
		if len([]rune(line)) > 120 {
			t.Errorf("viz --help has a line of %d characters: %s", len([]rune(line)), line)
		}
	}
	for _, c := range flagsOf(t).Model.Children {
		if !regexp.MustCompile(`(?m)^  ` + c.Name + ` +\S`).MatchString(out) {
			t.Errorf("viz --help lacks %s", c.Name)
		}
	}
}

// TestHelpMessageExamples: each command shows an example that the parser of flags accepts.
func TestHelpMessageExamples(t *testing.T) {
	word := regexp.MustCompile(`"[^"]*"|\S+`)
	used := 0
	t.Chdir(t.TempDir())
	must(t, os.Mkdir("downloads", 0o755)) // of viz train data
	model := flagsOf(t).Model
	all := model.Leaves(true)
	for _, c := range model.Children {
		if len(c.Children) > 0 {
			all = append(all, c)
		}
	}
	for _, c := range all {
		example := exampleOf(c)
		if example == "" {
			t.Errorf("%s has no example", c.Path())
			continue
		}
		used++
		var args []string
		for _, w := range word.FindAllString(example, -1)[1:] {
			args = append(args, strings.Trim(w, `"`))
		}
		parsed, err := flagsOf(t).Parse(args)
		if err != nil {
			t.Errorf("%s: %v", example, err)
		} else if got := parsed.Selected().Path(); got != c.Path() && got != c.Path()+" models" {
			t.Errorf("%s is %s", example, got)
		}
		status, out, _ := viz(t, append(strings.Fields(strings.TrimSuffix(c.Path(), " (export)")), "--help")...)
		if status != 0 || !strings.Contains(strings.Join(strings.Fields(out), " "), example) {
			t.Errorf("viz %s --help lacks %s", c.Path(), example)
		}
		for id := range messages.English.Templates("cli.help.") {
			tag := strings.TrimPrefix(id, "cli.help.")
			if strings.Contains(tag, ".") && slices.Contains(strings.Fields(out), tag) {
				t.Errorf("viz %s --help has the id %s instead of its text", c.Path(), tag)
			}
		}
	}
	if used != len(examples()) {
		t.Errorf("%d examples, %d used", len(examples()), used)
	}
}

func flagsOf(t *testing.T) *kong.Kong {
	t.Helper()
	p, err := kong.New(&commands{}, kong.Name("viz"), helpTexts())
	must(t, err)
	return p
}
