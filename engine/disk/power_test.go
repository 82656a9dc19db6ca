package disk

import (
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// machine is a file system that loses its power. Changes that were not synced may or may not be on
// its disk. Names and contents are independent; names change in the order of the operations.
type machine struct {
	left    int // number of operations until the power is lost; negative: never
	room    int // number of bytes that can still be written; negative: unlimited
	names   map[string]*content
	stored  map[string]*content // names on the disk
	changes []change            // changes of names that may not be on the disk yet
}

type content struct{ now, stored string }

// change sets the content of a name; nil removes the name.
type change struct {
	name string
	to   *content
}

// errLost is the value with which a process panics when its machine loses its power.
var errLost = errors.New("no power")

func newMachine(old string) *machine {
	m := &machine{left: -1, room: -1, names: map[string]*content{}, stored: map[string]*content{}}
	if old != "" {
		m.names["d/state"] = &content{old, old}
		m.stored["d/state"] = m.names["d/state"]
	}
	return m
}

func (m *machine) step() {
	if m.left == 0 {
		panic(errLost)
	}
	m.left--
}

func (m *machine) change(name string, to *content) {
	m.step()
	m.changes = append(m.changes, change{name, to})
	apply(m.names, m.changes[len(m.changes)-1])
}

func apply(names map[string]*content, c change) {
	if c.to == nil {
		delete(names, c.name)
	} else {
		names[c.name] = c.to
	}
}

func (m *machine) makeFolder(string) error { m.step(); return nil }

func (m *machine) create(folder, pattern string) (file, error) {
	f := &written{m: m, name: folder + "/" + strings.Replace(pattern, "*", "1", 1), content: &content{}}
	m.change(f.name, f.content)
	return f, nil
}

func (m *machine) rename(from, to string) error {
	m.change(to, m.names[from])
	apply(m.names, change{from, nil})
	m.changes = append(m.changes, change{from, nil})
	return nil
}

func (m *machine) remove(path string) error { m.change(path, nil); return nil }

func (m *machine) syncFolder(string) error {
	m.step()
	m.stored, m.changes = maps.Clone(m.names), nil
	return nil
}

type written struct {
	m       *machine
	name    string
	content *content
}

func (f *written) Write(p []byte) (int, error) {
	f.m.step()
	if f.m.room >= 0 && len(p) > f.m.room {
		p = p[:f.m.room]
		f.content.now, f.m.room = f.content.now+string(p), 0
		return len(p), syscall.ENOSPC
	}
	f.content.now += string(p)
	f.m.room -= len(p)
	return len(p), nil
}

func (f *written) Name() string            { return f.name }
func (f *written) Chmod(os.FileMode) error { f.m.step(); return nil }
func (f *written) Close() error            { f.m.step(); return nil }
func (f *written) Sync() error             { f.m.step(); f.content.stored = f.content.now; return nil }

// found returns every content that the file can have when the power is back. "" is an empty file,
// and "none" means that there is no file.
func (m *machine) found(name string) map[string]bool {
	all := map[string]bool{}
	for upTo := range len(m.changes) + 1 {
		names := maps.Clone(m.stored)
		for _, c := range m.changes[:upTo] {
			apply(names, c)
		}
		if c := names[name]; c == nil {
			all["none"] = true
		} else {
			all[c.stored], all[c.now] = true, true
			if c.now != c.stored {
				all[c.now[:len(c.now)/2]] = true
			}
		}
	}
	return all
}

// save replaces d/state by "new content" in three pieces.
func (m *machine) save() (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = cause.(error)
		}
	}()
	return replace(m, "d/state", func(w io.Writer) error {
		for _, part := range []string{"new ", "cont", "ent."} {
			if _, err := io.WriteString(w, part); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestPowerLoss: whenever the power is lost, the file has its old content or the new one. After
// Replace has returned, it has the new one.
func TestPowerLoss(t *testing.T) {
	for _, old := range []string{"", "old content"} {
		before := old
		if old == "" {
			before = "none"
		}
		for steps := 0; ; steps++ {
			m := newMachine(old)
			m.left = steps
			err := m.save()
			allowed := []string{before, "new content."}
			if err == nil {
				allowed = allowed[1:]
			}
			for content := range m.found("d/state") {
				if !slices.Contains(allowed, content) {
					t.Errorf("after %d operations (%v) the file that was %q may be %q", steps, err, before, content)
				}
			}
			if err == nil {
				if steps < 8 {
					t.Errorf("it is saved after %d operations", steps)
				}
				break
			}
		}
	}
}

// TestFullDisk: if the disk is full, the old content stays, no temporary file remains, and the
// error names the cause.
func TestFullDisk(t *testing.T) {
	for room := range len("new content.") {
		m := newMachine("old content")
		m.room = room
		if err := m.save(); err == nil || !strings.Contains(err.Error(), "d/state: no space left on device") {
			t.Errorf("room for %d bytes: %v", room, err)
		}
		if len(m.names) != 1 || m.names["d/state"].now != "old content" {
			t.Errorf("room for %d bytes: %v", room, m.names)
		}
	}
}
