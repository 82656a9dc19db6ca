// Package citation cites the publications of mechanisms, architectures and methods.
package citation

import (
	"fmt"
	"strconv"
	"strings"
)

// Paper is the publication of a mechanism, an architecture or a method.
type Paper struct {
	Authors, Title, Venue string // authors with full names, family name last
	Year                  int
	ArXiv                 string // identifier without prefix, such as "1706.03762"
	Equations             string // such as "eq. 1" or "sec. 3.1, eq. 4–7"
}

// Citation returns a short citation, such as "Vaswani et al. 2017, sec. 3.2, eq. 1".
func (p Paper) Citation() string {
	first, _, more := strings.Cut(p.Authors, ",")
	first = family(first)
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

// Names returns all authors, such as "Iz Beltagy, Matthew E. Peters and Arman Cohan".
func (p Paper) Names() string {
	names := strings.Split(p.Authors, ", ")
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// family returns the family name of an author, which is the last word.
func family(author string) string { return author[strings.LastIndexByte(author, ' ')+1:] }

// BibTeX returns the paper as a BibTeX entry.
func (p Paper) BibTeX() string {
	names := strings.Split(p.Authors, ", ")
	kind, where := "inproceedings", "booktitle"
	switch p.Venue {
	case "arXiv":
		kind, where = "misc", "howpublished"
	case "OpenAI": // a company, not a conference
		kind, where = "techreport", "institution"
	}
	key := strings.ToLower(strings.Map(ascii, family(names[0]))) + strconv.Itoa(p.Year)
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

// ascii keeps the characters that are valid in the key of a BibTeX entry.
func ascii(r rune) rune {
	if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
		return r
	}
	return -1
}
