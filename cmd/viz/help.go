package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

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

// examples has a command line for each command, to try or to change.
var examples = map[string]string{
	"serve":        `viz serve --addr localhost:9090`,
	"attend":       `viz attend --text "The cat sat on the mat." --mechanism dense --layer 1 --head 2`,
	"compare":      `viz compare dot-product dense "The cat sat on the mat."`,
	"race":         `viz race "The cat sat because it was tired." --hide it`,
	"write":        `viz write --text "one two three" --task reverse`,
	"match":        `viz match "A cat sat on the mat." "A dog lay on the rug." "Prices rose again."`,
	"find":         `viz find --text "The cat sat because it was tired." --row it --col cat`,
	"desk":         `viz desk --text "The cat sat on the mat." --mechanism dot-product --rank 2`,
	"explain":      `viz explain --text "The cat sat on the mat." --mechanism dense --cell 3.2`,
	"steps":        `viz steps --text "The cat sat on the mat." --mechanism fastformer --word 3`,
	"tokens":       `viz tokens --model distilgpt2 "The cat sat on the mat."`,
	"render":       `viz render --text "The cat sat on the mat." --mechanism dense --out dense.png`,
	"inspect":      `viz inspect dense.png`,
	"publish":      `viz publish site --m dense,fastformer`,
	"models":       `viz models --json`,
	"train":        `viz train dense --data texts --steps 2000`,
	"train models": `viz train models dense fastformer --data texts --steps 2000`,
	"train vocab":  `viz train vocab --data texts --out vocab.txt`,
	"train data":   `viz train data --from downloads --out texts`,
	"record":       `viz record dense --data texts`,
	"evaluate":     `viz evaluate dense --data texts`,
	"verify":       `viz verify cases/dense.json`,
	"cost":         `viz cost --length 512 --counted`,
	"bench":        `viz bench --quick`,
	"completion":   `viz completion bash`,
	"version":      `viz version`,
}

// exampleOf returns the example of a command, whose path has its other name in brackets.
func exampleOf(node *kong.Node) string { return examples[strings.TrimSuffix(node.Path(), " (export)")] }

// printHelp prints all commands on one screen, or one command with an example and its flags.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if node := ctx.Selected(); node != nil {
		node.Detail = say("example", "command", exampleOf(node))
		options.Compact, options.WrapUpperBound = true, 120
		return kong.DefaultHelpPrinter(options, ctx)
	}
	w := tabwriter.NewWriter(ctx.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "Usage: viz <command> [flags]\n\n%s\n", ctx.Model.Help)
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
