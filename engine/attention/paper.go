package attention

import (
	"fmt"
	"strconv"
	"strings"
)

// Paper is the source of a mechanism.
type Paper struct {
	Authors, Title, Venue string
	Year                  int
	ArXiv                 string // identifier without prefix: "1706.03762"
	Equations             string // "eq. 1", "sec. 3.1, eq. 4–7"
}

// Citation is "Vaswani et al. 2017, sec. 3.2, eq. 1".
func (p Paper) Citation() string {
	first, _, more := strings.Cut(p.Authors, ",")
	if more {
		first += " et al."
	}
	parts := []string{}
	if first != "" {
		parts = append(parts, strings.TrimSpace(first+" "+strconv.Itoa(p.Year)))
	}
	if p.Equations != "" {
		parts = append(parts, p.Equations)
	}
	return strings.Join(parts, ", ")
}

// Names are up to three of the authors, or the first one.
func (p Paper) Names() string {
	names := strings.Split(p.Authors, ", ")
	switch {
	case len(names) > 3:
		return names[0] + " et al."
	case len(names) == 1:
		return names[0]
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// BibTeX is the paper as an entry of a bibliography. What is known of authors
// are their family names.
func (p Paper) BibTeX() string {
	names := strings.Split(p.Authors, ", ")
	kind, where := "inproceedings", "booktitle"
	switch p.Venue {
	case "arXiv":
		kind, where = "misc", "howpublished"
	case "OpenAI": // a company, not a conference
		kind, where = "techreport", "institution"
	}
	key := strings.ToLower(strings.Map(ascii, names[0])) + strconv.Itoa(p.Year)
	fields := []string{
		"title = {{" + p.Title + "}}",
		"author = {" + strings.Join(names, " and ") + "}",
		where + " = {" + p.Venue + "}",
		"year = {" + strconv.Itoa(p.Year) + "}",
	}
	if p.ArXiv != "" {
		fields = append(fields, "eprint = {"+p.ArXiv+"}", "archivePrefix = {arXiv}")
	}
	return fmt.Sprintf("@%s{%s,\n  %s\n}", kind, key, strings.Join(fields, ",\n  "))
}

// ascii leaves out what has no place in the key of a bibliography.
func ascii(r rune) rune {
	if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
		return r
	}
	return -1
}
