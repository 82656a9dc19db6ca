package disk_test

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"attnatlas/engine/disk"
)

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// names lists the files of a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func write(content string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, content); return err }
}

// TestRead: a path that is not a regular file of a bounded size gives a specific error at once.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/file", "content")
	put(t, dir+"/large", strings.Repeat("x", 1<<20+1))
	for _, err := range []error{
		os.Mkdir(dir+"/folder", 0o755), os.Symlink("nowhere", dir+"/dangling"), os.Symlink("file", dir+"/link"),
		os.Symlink("folder", dir+"/to a folder"),
		exec.Command("mkfifo", dir+"/pipe").Run(), os.Symlink("/dev/zero", dir+"/zero"), os.Symlink("loop", dir+"/loop"),
	} {
		if err != nil {
			t.Skip(err)
		}
	}
	socket, err := net.Listen("unix", dir+"/socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for name, says := range map[string]string{
		"file": "", "link": "", "large": "more than 1 MiB", "folder": "a folder", "to a folder": "a folder", "pipe": "a pipe",
		"socket": "a socket", "zero": "a device",
		"dangling": "a link to a file that does not exist", "loop": "cannot be read: too many levels",
	} {
		for _, read := range []func() ([]byte, error){
			func() ([]byte, error) { return disk.Read(dir+"/"+name, 1<<20) },
			func() ([]byte, error) { return disk.ReadIn(os.DirFS(dir), name, 1<<20) },
		} {
			switch data, err := read(); {
			case says == "" && (err != nil || string(data) != "content"):
				t.Errorf("%s: %q, %v", name, data, err)
			case says != "" && (err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), dir)):
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := disk.Read(dir+"/none", 1); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// growing is a file that reports a size of 0.
type growing struct{ fs.File }

func (g growing) Read(p []byte) (int, error) { clear(p); return len(p), nil }

type growingFS struct{ fstest.MapFS }

func (g growingFS) Open(name string) (fs.File, error) {
	f, err := g.MapFS.Open(name)
	return growing{f}, err
}

// TestReadEnds: reading ends for a file that is larger than its reported size.
func TestReadEnds(t *testing.T) {
	if _, err := disk.ReadIn(growingFS{fstest.MapFS{"x": {}}}, "x", 3<<20); err == nil ||
		!strings.Contains(err.Error(), "more than 3 MiB") {
		t.Error(err)
	}
}

// TestClean: only temporary files of this file are removed, and only if they are old enough.
func TestClean(t *testing.T) {
	dir := t.TempDir()
	stay := []string{"a", "a.12", "a.12.tmp", "a.b.12.viz-tmp", "a.viz-tmp", "a..viz-tmp", "b.12.viz-tmp",
		"folder.1.viz-tmp"}
	for _, name := range slices.Concat(stay[:7], []string{"a.12.viz-tmp", "a.9876543210.viz-tmp"}) {
		put(t, filepath.Join(dir, name), "x")
	}
	if err := os.Mkdir(dir+"/folder.1.viz-tmp", 0o755); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := disk.Clean(dir+"/folder", 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := disk.Clean(dir+"/a", time.Minute); err != nil || len(names(t, dir)) != len(stay)+2 {
		t.Error(err, names(t, dir))
	}
	slices.Sort(stay)
	if err := disk.Clean(dir+"/a", 0); err != nil || !slices.Equal(names(t, dir), stay) {
		t.Error(err, names(t, dir))
	}
}

// TestReplace: missing folders are made, the old content is replaced, and no temporary files
// remain.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "folder", "file")
	for _, content := range []string{"one", "two"} {
		if err := disk.Replace(path, write(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := disk.Replace(path, func(io.Writer) error { return errors.New("no more") }); err == nil ||
		!strings.Contains(err.Error(), "no more") {
		t.Error(err)
	}
	if got := names(t, filepath.Dir(path)); len(got) != 1 {
		t.Error(got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
		t.Error(info.Mode(), err)
	}
}

// TestReplaceRefuses: paths that are not regular files stay unchanged.
func TestReplaceRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/folder", 0o755); err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{dir + "/folder": "folder"}
	if err := exec.Command("mkfifo", dir+"/pipe").Run(); err == nil {
		paths[dir+"/pipe"] = "pipe"
	}
	for path, kind := range paths {
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		err = disk.Replace(path, write("x"))
		if err == nil || !strings.Contains(err.Error(), "it is a "+kind+", not a file") {
			t.Errorf("%s: %v", kind, err)
		}
		if now, err := os.Lstat(path); err != nil || now.Mode() != before.Mode() {
			t.Errorf("%s: %v, %v", kind, now, err)
		}
	}
}

// TestWritable: a folder that cannot be written to gives an error. In a writable folder, no file
// remains.
func TestWritable(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/file", "")
	if err := disk.Writable(dir + "/new/folder"); err != nil || len(names(t, dir+"/new/folder")) != 0 {
		t.Error(err)
	}
	closed := []string{dir + "/file", dir + "/file/folder"}
	if err := os.Mkdir(dir+"/closed", 0o555); err == nil && os.Getuid() != 0 {
		closed = append(closed, dir+"/closed")
	}
	for _, folder := range closed {
		if err := disk.Writable(folder); err == nil || !strings.Contains(err.Error(), folder+" is not writable") {
			t.Errorf("%s: %v", folder, err)
		}
		if err := disk.Replace(folder+"/x", write("x")); err == nil {
			t.Errorf("%s: written", folder)
		}
	}
}

// TestHold: a file can be locked once, and its temporary files are removed. After the release,
// others can lock it.
func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	put(t, path+".77.viz-tmp", "left over")
	release, err := disk.Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(t, filepath.Dir(path)); !slices.Equal(got, []string{"state.lock"}) {
		t.Error(got)
	}
	if _, err := disk.Lock(path); err == nil || !strings.Contains(err.Error(), path+
		" is being written by another process") {
		t.Errorf("held twice: %v", err)
	}
	release()
	again, err := disk.Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	again()
	if got := names(t, filepath.Dir(path)); len(got) != 0 {
		t.Error(got)
	}
}

const childPath = "VIZ_TEST_SAVES"

// TestMain is also the process that TestKill kills.
func TestMain(m *testing.M) {
	path := os.Getenv(childPath)
	if path == "" {
		os.Exit(m.Run())
	}
	release, err := disk.Lock(path)
	if err != nil {
		panic(err)
	}
	defer release() // never called; but the garbage collector would close a lock without references
	for i := byte('a'); ; i = 'a' + (i-'a'+1)%26 {
		if err := disk.Replace(path, write(strings.Repeat(string(i), 1<<20))); err != nil {
			panic(err)
		}
		if _, err := os.Stdout.WriteString("\n"); err != nil {
			return
		}
	}
}

// TestKill: if a process that saves repeatedly is killed at any moment, the file is complete, the
// next process can write at once, and temporary files are removed.
func TestKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	leftOver := 0
	for i := range 12 {
		save := exec.Command(os.Args[0])
		save.Env = append(os.Environ(), childPath+"="+path)
		out, err := save.StdoutPipe()
		if err == nil {
			err = save.Start()
		}
		if err == nil {
			_, err = bufio.NewReader(out).ReadString('\n')
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := disk.Lock(path); err == nil {
			t.Error("two processes hold a file")
		}
		time.Sleep(time.Duration(i) * 700 * time.Microsecond)
		_ = save.Process.Kill()
		_ = save.Wait()
		data, err := os.ReadFile(path)
		if err != nil || len(data) != 1<<20 || data[0] != data[len(data)-1] {
			t.Fatalf("%d bytes, %v", len(data), err)
		}
		leftOver += len(names(t, filepath.Dir(path))) - 2 // without the file and its lock
	}
	t.Logf("%d files were left over", leftOver)
	release, err := disk.Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	release()
	if got := names(t, filepath.Dir(path)); !slices.Equal(got, []string{"state"}) {
		t.Error(got)
	}
}
