// Package disk reads and writes whole files so that nothing that lies in a folder, and nothing
// that happens to the machine, costs more than an error: only regular files of a bounded size
// are read, files are replaced in one step that a loss of power leaves done or undone, and a
// file that one process writes is not written by another.
package disk
