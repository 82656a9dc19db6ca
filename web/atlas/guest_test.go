package atlas_test

import (
	"log/slog"
	"strings"
	"testing"

	"attnatlas/engine/guests"
	"attnatlas/engine/huggingface"
	"attnatlas/web/atlas"
	"attnatlas/web/site"
	"attnatlas/web/webtest"
)

// TestGuestPages: pages about an encoder–decoder guest have no statements about the bundled encoder–decoder. Texts are
// matched by BERT, because neither an encoder–decoder nor a single layer makes vectors of texts.
func TestGuestPages(t *testing.T) {
	const folders = "../../engine/huggingface/testdata/"
	invited := guests.Invite(huggingface.Given([]string{folders + "t5", folders + "layer-mixture"}))
	id, layer := invited[0].ID, invited[1].ID
	s, err := atlas.New(nil, site.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		target, has, lacks string
	}{
		{"/m/" + id + ".json?text=The+cat", `"id":"` + id + `"`, `"task"`},
		{"/m/" + id, "parameters of the whole model", "The projections have biases"},
		{"/m/" + id, "The page “Dot product” has the formula of the bundled model.", "2400"},
		{"/m/" + id, "for your model", "the bundled model,"},
		{"/m/" + id, "How it works", "formula-large"},
		{"/match", "because BERT does not define another one", `role="alert"`},
		{"/m/" + layer, "the attention layer alone", "feed-forward networks, embeddings and classifiers"},
		{"/m/" + layer, "A layer from PyTorch", "The token mixer of this model is dot-product attention"},
		{"/m/" + layer + ".json?text=The+cat", `"random weights"`, `"predictions"`},
	} {
		w := webtest.Get(s, c.target)
		if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, c.has) || strings.Contains(body, c.lacks) {
			t.Errorf("%s: status %d, %q is there: %v, %q is there: %v in %.500s", c.target, w.Code, c.has,
				strings.Contains(body, c.has), c.lacks, strings.Contains(body, c.lacks), body)
		}
	}
}
