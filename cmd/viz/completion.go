package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/figure"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"completion.shell"`
}

// Run prints a script that lets a shell complete commands, flags, mechanisms and presets.
func (c *completionCmd) Run(s streams, k *kong.Kong) error {
	var commands []string
	words := map[string][]string{}
	for _, node := range k.Model.Leaves(true) {
		top := node
		for top.Parent.Type == kong.CommandNode {
			top = top.Parent
		}
		for _, name := range append([]string{top.Name}, top.Aliases...) {
			if !slices.Contains(commands, name) {
				commands = append(commands, name)
			}
			words[name] = with(words[name], wordsOf(node, top))
		}
	}
	values := map[string][]string{"mechanism": mechanismIDs(), "preset": figure.PresetNames()}
	if c.Shell == "fish" {
		return fish(s.out, commands, words, values)
	}
	if c.Shell == "zsh" {
		fmt.Fprintln(s.out, "autoload -U +X bashcompinit && bashcompinit")
	}
	return bash(s.out, commands, words, values)
}

// wordsOf returns the words that may follow a command: the names of its subcommands, and flags.
func wordsOf(node, top *kong.Node) (words []string) {
	if node != top {
		words = append(words, node.Name)
	}
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			words = append(words, "--"+f.Name)
		}
	}
	return words
}

// with adds to a list the words that it lacks.
func with(list, more []string) []string {
	for _, one := range more {
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}

// mechanismIDs returns the ids of the catalogue.
func mechanismIDs() (ids []string) {
	for _, e := range attention.Catalog {
		ids = append(ids, e.ID)
	}
	for _, e := range encoder.Stacks {
		ids = append(ids, e.ID)
	}
	return ids
}

// bash writes a function of bash.
func bash(w io.Writer, commands []string, words, values map[string][]string) error {
	var b strings.Builder
	b.WriteString("_viz() {\n  local word=${COMP_WORDS[COMP_CWORD]} words=\n  case ${COMP_WORDS[COMP_CWORD-1]} in\n")
	fmt.Fprintf(&b, "  -m|--mechanism) words=%q ;;\n  --preset) words=%q ;;\n  *) if [ \"$COMP_CWORD\" = 1 ]; then words=%q; else case ${COMP_WORDS[1]} in\n",
		strings.Join(values["mechanism"], " "), strings.Join(values["preset"], " "), strings.Join(commands, " "))
	for _, name := range commands {
		fmt.Fprintf(&b, "    %s) words=%q ;;\n", name, strings.Join(words[name], " "))
	}
	b.WriteString("  esac; fi ;;\n  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\ncomplete -o default -F _viz viz\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// fish writes completions of fish.
func fish(w io.Writer, commands []string, words, values map[string][]string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "complete -c viz -n __fish_use_subcommand -f -a '%s'\n", strings.Join(commands, " "))
	for _, name := range commands {
		for _, word := range words[name] {
			long, flag := strings.CutPrefix(word, "--")
			if !flag {
				fmt.Fprintf(&b, "complete -c viz -n '__fish_seen_subcommand_from %s' -f -a %s\n", name, word)
				continue
			}
			fmt.Fprintf(&b, "complete -c viz -n '__fish_seen_subcommand_from %s' -l %s", name, long)
			if list := values[long]; list != nil {
				fmt.Fprintf(&b, " -x -a '%s'", strings.Join(list, " "))
			}
			b.WriteString("\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
