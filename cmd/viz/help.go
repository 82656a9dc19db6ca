package main

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
)

// helpGroups are the titles of the groups of commands, by what people want to do.
var helpGroups = map[string]string{
	"explore": say("group.explore"),
	"inside":  say("group.inside"),
	"export":  say("group.export"),
	"models":  say("group.models"),
	"measure": say("group.measure"),
	"shell":   say("group.shell"),
}

//go:embed examples.toml
var examplesFile string

// examples returns a command line for each command, to try or to change.
var examples = sync.OnceValue(func() (all map[string]string) {
	if _, err := toml.Decode(examplesFile, &all); err != nil {
		panic(err)
	}
	return all
})

// exampleOf returns the example of a command, whose path has its other name in brackets.
func exampleOf(node *kong.Node) string {
	return examples()[strings.TrimSuffix(node.Path(), " (export)")]
}

// printHelp prints all commands on one screen, or one command with an example and its flags.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if node := ctx.Selected(); node != nil {
		node.Detail = say("example", "command", exampleOf(node))
		options.Compact, options.WrapUpperBound = true, 120
		return kong.DefaultHelpPrinter(options, ctx)
	}
	w := tabwriter.NewWriter(ctx.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\n\n%s\n\n", say("usage"), ctx.Model.Help)
	group := ""
	for _, c := range ctx.Model.Children {
		if c.Group.Key != group {
			group = c.Group.Key
			fmt.Fprintf(w, "%s\n", helpGroups[group])
		}
		fmt.Fprintf(w, "  %s\t%s\n", c.Name, c.Help)
	}
	fmt.Fprintln(w, say("group.flags"))
	for _, f := range ctx.Model.Flags {
		fmt.Fprintf(w, "  --%s\t%s\n", f.Name, f.Help)
	}
	fmt.Fprintf(w, "\n%s\n%s\n", say("one-command"), say("status"))
	return w.Flush()
}
