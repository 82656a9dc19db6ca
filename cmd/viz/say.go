package main

import (
	"fmt"
	"strconv"

	"attnatlas/engine/messages"
	"attnatlas/engine/method"

	"github.com/alecthomas/kong"
)

// say returns a text of the command line.
func say(id string, args ...any) string { return messages.English.T("cli."+id, plain(args)...) }

// wrong returns the error of a mistake on the command line.
func wrong(id string, args ...any) error { return messages.Errorf("cli.error."+id, plain(args)...) }

// plain returns arguments with numbers in a form that other programs read, without spaces between thousands. The number
// 1 stays one, which chooses the plural form.
func plain(args []any) []any {
	for i, arg := range args {
		if n, ok := arg.(int); ok && n != 1 {
			args[i] = strconv.Itoa(n)
		}
	}
	return args
}

// helpTexts replaces the ids in the help tags of commands and flags by their texts: attend.map by cli.help.attend.map.
// Variables of kong would do so, too, but kong reads all of them anew for each flag.
func helpTexts() kong.Option {
	return kong.PostBuild(func(k *kong.Kong) error {
		texts, methods := messages.English.Templates("cli.help."), methodHelp()
		tell := func(help *string) error {
			if *help == "" {
				return nil
			}
			id := "cli.help." + *help
			if _, ok := texts[id]; !ok {
				return fmt.Errorf("no text: %s", id)
			}
			*help = messages.English.T(id, "methods", methods)
			return nil
		}
		return kong.Visit(k.Model, func(node kong.Visitable, next kong.Next) error {
			switch node := node.(type) {
			case *kong.Node:
				return next(tell(&node.Help))
			case *kong.Value:
				return next(tell(&node.Help))
			case *kong.Flag:
				if node == k.Model.HelpFlag {
					return nil // it has a text of kong
				}
			}
			return next(nil)
		})
	})
}

// methodHelp lists the methods that measure maps, each with a description of its map.
func methodHelp() (all []messages.Message) {
	for _, m := range method.Catalog() {
		all = append(all, messages.New("method-help.item", "name", m.Name, "text", messages.New("method-brief."+m.Name)))
	}
	return all
}
