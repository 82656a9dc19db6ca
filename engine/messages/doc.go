// Package messages is the home of every sentence and label that a person reads:
// pages, errors, captions, scripts, the command line. A sentence is a Message,
// data, until somebody says it in a Language; the texts are in the files of a
// folder for each language (en/*.toml), so that another language is another
// folder.
//
// # The files
//
// A text's id is the path of its tables: [wall] hint = "…" is "wall.hint".
// {{.name}} stands for the argument of that name. A text that depends on a
// number has a table of its own, with the plural forms of the language, and is
// chosen by the argument "count":
//
//	[count.layer]
//	one = "{{.count}} layer"
//	other = "{{.count}} layers"
//
// Arguments are strings, whole numbers (written with narrow spaces between
// thousands), other messages, and lists of them. Numbers with a point are
// formatted before.
//
// A text of several paragraphs has an empty line between them (Paragraphs), a
// list one item on each line (Lines).
//
// # Mechanisms and stacks
//
// Each has a file in mechanisms or stacks, whose ids begin with "mechanism.ID" or
// "stack.ID": name, summary, story, differences, view.MAP for the caption of a map,
// option.NAME for what an option is about. Texts that several have in common are in
// shared.toml. Classes and labels on maps are in maps.toml, by what the API calls them.
package messages
