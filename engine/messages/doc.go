// Package messages holds every sentence and label for readers: pages, errors, captions, scripts,
// the command line. A sentence is a Message, which is data until a Language turns it into text.
// Each language has a folder of texts (en/*.toml), so a new language needs only a new folder.
//
// # The files
//
// A text's id is the path of its tables: [wall] hint = "…" is "wall.hint". {{.name}} is replaced by the
// argument of that name. A text that depends on a number has its own table with the plural forms of
// the language. The argument "count" selects the form:
//
//	[count.layer]
//	one = "{{.count}} layer"
//	other = "{{.count}} layers"
//
// Arguments are strings, whole numbers (written with narrow spaces between thousands), other
// messages, and lists of messages. Decimal numbers must be formatted beforehand.
//
// A text of several paragraphs has an empty line between them (Paragraphs). A list has one item per
// line (Lines).
//
// # Mechanisms and architectures
//
// Each has a file in mechanisms or stacks, whose ids begin with "mechanism.ID" or "stack.ID": name,
// summary, story, differences, view.MAP for the caption of a map, option.NAME for the description
// of an option. Shared texts are in shared.toml. Classes and labels on maps are in maps.toml, under
// their names in the API.
package messages
