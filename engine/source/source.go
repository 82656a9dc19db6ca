// Package source holds the files in which mechanisms are written, as they were compiled. It finds the line of a file
// that was running.
package source

import (
	"embed"
	"path"
	"runtime"
	"strings"
)

// File is a source file of the program. The zero File means no file.
type File struct {
	Path string // in the tree: "engine/attention/dense.go"
	Text string
}

// Caller returns the file of the function that calls the caller of Caller, out of the files of a folder of the tree. It
// returns the zero File if the file is not among them.
func Caller(files embed.FS, folder string) File {
	_, file, _, _ := runtime.Caller(2)
	name := path.Base(file)
	text, err := files.ReadFile(name)
	if err != nil {
		return File{}
	}
	return File{folder + "/" + name, string(text)}
}

// mostCalls limits the depth of recorded calls. A mechanism's file is only a few calls away from the code that shows a
// map.
const mostCalls = 24

// Calls returns the program counters of the running calls, the innermost first, without Calls itself.
func Calls() []uintptr {
	calls := make([]uintptr, mostCalls)
	return calls[:runtime.Callers(2, calls)]
}

// Line returns the line, from 1, of the innermost call in the file, or 0 if no call is in the file.
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
