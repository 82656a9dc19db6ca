// Package source has the files in which mechanisms are written, as they were compiled, and finds the lines of
// them that were running.
package source

import (
	"embed"
	"path"
	"runtime"
	"strings"
)

// File is a file of the program. The zero File is none.
type File struct {
	Path string // in the tree: "engine/attention/dense.go"
	Text string
}

// Caller is the file that calls the function which calls this one, out of those of a folder of the tree. It is none
// where it is not among them.
func Caller(files embed.FS, folder string) File {
	_, file, _, _ := runtime.Caller(2)
	name := path.Base(file)
	text, err := files.ReadFile(name)
	if err != nil {
		return File{}
	}
	return File{folder + "/" + name, string(text)}
}

// mostCalls is how deep calls are looked at: from a mechanism's file to what shows a map there are few.
const mostCalls = 24

// Calls are those that are running, the innermost first, without this one.
func Calls() []uintptr {
	calls := make([]uintptr, mostCalls)
	return calls[:runtime.Callers(2, calls)]
}

// Line is the line, from 1, at which a file took part in calls: the innermost one. 0: it did not.
func (f File) Line(calls []uintptr) int {
	if f.Path == "" || len(calls) == 0 {
		return 0
	}
	for frames := runtime.CallersFrames(calls); ; {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.File, "/"+f.Path) {
			return frame.Line
		}
		if !more {
			return 0
		}
	}
}
