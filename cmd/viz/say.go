package main

import (
	"strconv"
	"strings"

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

// helpTexts returns the texts of cli.help as variables of help tags: cli.help.attend.map is ${attend_map}.
func helpTexts() kong.Vars {
	const all = "cli.help."
	vars := kong.Vars{}
	for id := range messages.English.Templates(all) {
		vars[strings.ReplaceAll(strings.TrimPrefix(id, all), ".", "_")] = messages.English.T(id, "methods", methodHelp())
	}
	return vars
}

// methodHelp lists the methods that measure maps, each with a description of its map.
func methodHelp() (all []messages.Message) {
	for _, m := range method.Catalog() {
		all = append(all, messages.New("method-help.item", "name", m.Name, "text", messages.New("method-brief."+m.Name)))
	}
	return all
}
