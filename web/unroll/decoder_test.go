package unroll_test

import (
	"html"
	"regexp"
	"testing"

	"attnatlas/web/browsertest"
)

// TestStepsOfTheDecoder: the words of the decoder's steps are the written ones, without the source text. The page
// links every written word to its steps.
func TestStepsOfTheDecoder(t *testing.T) {
	writing := browsertest.Body(t, "/m/encoder-decoder?text=The+old+cat")
	link := regexp.MustCompile(`href="\.\.(/steps\?layer=3&amp;m=encoder-decoder&amp;pin=2[^"]*)"`).FindStringSubmatch(writing)
	if link == nil {
		t.Fatal("no link to the steps of the second word")
	}
	page := browsertest.Body(t, html.UnescapeString(link[1]))
	words := regexp.MustCompile(`<li class="token"[^>]*><a[^>]*><bdi dir="auto">([^<]*)</bdi>`).FindAllStringSubmatch(page, -1)
	if len(words) < 2 || words[0][1] != "[CLS]" || words[1][1] != "cat" {
		t.Errorf("it reads %q", words)
	}
	memory := regexp.MustCompile(`(?s)data-key="memory".*?data-words="(\w+)"`).FindStringSubmatch(page)
	input := regexp.MustCompile(`(?s)data-key="mixer input".*?data-words="(\w+)"`).FindStringSubmatch(page)
	if memory == nil || memory[1] != "false" || input == nil || input[1] != "true" {
		t.Errorf("rows that can be followed: of the memory %v, of the decoder %v", memory, input)
	}
}
