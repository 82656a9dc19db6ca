package web_test

import (
	"strings"
	"testing"

	"attnatlas/web/webtest"
)

// BenchmarkRoutes measures the server's share of the time, for a text of the models' full length. The report is
// cached after the first round.
func BenchmarkRoutes(b *testing.B) {
	text := "text=" + strings.TrimSuffix(strings.Repeat("the+", webtest.FakeLength-2), "+")
	for name, path := range map[string]string{
		"wall": "/?" + text, "attend-all": "/api/v1/attend?" + text, "attend-one": "/api/v1/attend?head=mean&layer=2&" + text,
		"figure": "/export/dense.png?" + text, "bare": "/export/dense.png?bare=1&scale=5&" + text,
	} {
		s := webtest.NewServer(b, &webtest.FakeEngine{})
		if w := webtest.Get(s, path); w.Code != 200 {
			b.Fatal(w.Code, w.Body)
		}
		b.Run(name, func(b *testing.B) {
			size := 0
			for b.Loop() {
				size = webtest.Get(s, path).Body.Len()
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}
