package main

import (
	"strings"
	"testing"
)

// TestTell: the output of failed tests is printed and that of passed tests is not, also for a test that never ended.
// The slowest tests come before the last line.
func TestTell(t *testing.T) {
	const events = `{"ImportPath":"c","Action":"build-output","Output":"c.go:1: no\n"}
{"Action":"output","Package":"a","Test":"TestQuick","Output":"=== RUN   TestQuick\n"}
{"Action":"output","Package":"a","Test":"TestQuick","Output":"    a.go:1: fine\n"}
{"Action":"pass","Package":"a","Test":"TestQuick","Elapsed":0.5}
{"Action":"pass","Package":"a","Test":"TestSlow/part","Elapsed":9}
{"Action":"pass","Package":"a","Test":"TestSlow","Elapsed":9.25}
{"Action":"output","Package":"a","Output":"PASS\n"}
{"Action":"output","Package":"a","Output":"ok  \ta\t9.7s\n"}
{"Action":"pass","Package":"a","Elapsed":9.7}
{"Action":"output","Package":"b","Test":"TestWrong/part","Output":"    --- FAIL: TestWrong/part (0.00s)\n"}
{"Action":"output","Package":"b","Test":"TestWrong/whole","Output":"    --- PASS: TestWrong/whole (0.00s)\n"}
{"Action":"fail","Package":"b","Test":"TestWrong","Elapsed":1}
{"Action":"output","Package":"b","Test":"TestStuck","Output":"panic: stuck\n"}
{"Action":"output","Package":"b","Output":"FAIL\tb\t1.1s\n"}
{"Action":"fail","Package":"b","Elapsed":1.1}
`
	const want = `c.go:1: no
    --- FAIL: TestWrong/part (0.00s)
panic: stuck
ok  	a	9.7s
The slowest tests:
    9.2 s  TestSlow  a
    1.0 s  TestWrong  b
    0.5 s  TestQuick  a
FAIL	b	1.1s
`
	var out strings.Builder
	if err := tell(strings.NewReader(events), &out); err != nil || out.String() != want {
		t.Errorf("%v: it tells\n%s", err, out.String())
	}
}
