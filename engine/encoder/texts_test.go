package encoder_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/figure"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
	"attnatlas/engine/trace"
)

// textsOf returns all messages of a stack; missing ones are zero.
func textsOf(e encoder.StackEntry) []messages.Message {
	all := []messages.Message{e.Name, e.Summary, e.Differences, e.Story, e.Rollout, e.Zeroing,
		messages.New("objective." + messages.Key(string(e.Objective)))}
	for _, v := range e.Views {
		all = append(all, v.Caption)
	}
	for _, o := range e.Options {
		all = append(all, o.Help, o.Allowed())
		for _, v := range append(slices.Clone(o.Values), o.Other(), o.Default) {
			c, _ := encoder.Default(e.ID, attention.DotProduct.ID, 9)
			c.Options = map[string]string{o.Name: v}
			all = append(all, e.Describe(c).Summary)
			c.Layers = 2
			all = append(all, e.Describe(c).Summary)
		}
	}
	return all
}

// TestStacksHaveTheirFiles: the page of a stack shows the file in which it is written.
func TestStacksHaveTheirFiles(t *testing.T) {
	for _, e := range encoder.Stacks {
		if !strings.Contains(e.Source.Text, "newStack(StackEntry{") {
			t.Errorf("%s: the program does not contain its file: call newStack in the file of the stack, "+
				`and give it a name that does not end in "st.go", as names of tests do (see source.go)`, e.ID)
		}
	}
}

// TestTexts: every message of a stack has a text, and every text in the files of stacks belongs to
// a message.
func TestTexts(t *testing.T) {
	ids, said := messages.English.IDs(), map[string]bool{"stack.shared.with": true} // used by package engine
	for _, e := range encoder.Stacks {
		for _, m := range textsOf(e) {
			for _, id := range m.IDs() {
				if said[id] = true; !slices.Contains(ids, id) {
					t.Errorf("%s: there is no text %s", e.ID, id)
				}
			}
		}
	}
	files, err := os.ReadDir("../messages/en/stacks")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		of := "stack." + strings.TrimSuffix(f.Name(), "toml")
		for _, id := range ids {
			if strings.HasPrefix(id, of) && !said[id] {
				t.Errorf("no stack says %s", id)
			}
		}
	}
}

// TestNamesOnMaps: classes, axes and their labels have texts.
func TestNamesOnMaps(t *testing.T) {
	ids := messages.English.IDs()
	for _, e := range encoder.Stacks {
		if e.New == nil {
			continue
		}
		p := nn.NewPass(ad.NewFrozen())
		p.Run = &trace.Run{}
		newModel(t, stackConfig(t, e.ID, "dot-product")).Encode(p, []int{1, 4, 7, 2, 9}, 1)
		for _, m := range p.Run.Steps {
			var all []messages.Message
			for _, class := range m.Classes {
				all = append(all, figure.ClassName(class))
			}
			for _, axis := range m.Axes {
				all = append(all, figure.Title(axis))
				for i := range axis.Labels {
					all = append(all, figure.Label(axis, i))
				}
			}
			for _, m := range all {
				for _, id := range m.IDs() {
					if !slices.Contains(ids, id) {
						t.Errorf("%s: there is no text %s", e.ID, id)
					}
				}
			}
		}
	}
}
