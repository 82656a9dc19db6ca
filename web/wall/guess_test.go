package wall_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"attnatlas/web/api"
	"attnatlas/web/webtest"
)

// TestTopicOfRequests: a card says which texts the topic is meant for, and names no topic for other texts. The API
// keeps every prediction with the names of its classes.
func TestTopicOfRequests(t *testing.T) {
	s := webtest.NewServer(t, &webtest.FakeEngine{})
	for text, topic := range map[string]bool{"book a flight to paris": true, "The cat sat on the mat.": false} {
		query := "?m=dense&text=" + url.QueryEscape(text)
		page := webtest.PlainText(webtest.Parse(t, webtest.Get(s, "/"+query)))
		if strings.Contains(page, webtest.Spelled("topic (if this is a request to an assistant) travel 0.75")) != topic ||
			!topic && strings.Contains(page, webtest.Spelled("travel")) {
			t.Errorf("%s: the card says of a topic: %v", text, !topic)
		}
		if help := strings.Contains(webtest.Get(s, "/"+query).Body.String(),
			"No topic means “none of these”. Accuracy on validation texts: 90.0 %"); help != topic {
			t.Errorf("%s: help is %v", text, help)
		}
		var a api.Attend
		if err := json.Unmarshal(webtest.Get(s, "/api/v1/attend"+query).Body.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		if g := a.Mechanisms[0].Guesses; len(g) != 1 || g[0].Task != "topic" || g[0].Classes[0].Name != "travel" {
			t.Errorf("%s: %+v", text, g)
		}
	}
}
