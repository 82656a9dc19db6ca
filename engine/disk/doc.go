// Package disk reads and writes whole files safely. Whatever lies in a folder, and whatever happens
// to the machine, causes an error at worst. Only regular files of a bounded size are read. Files
// are replaced in one step, which is either complete or undone after a loss of power. Locks keep a
// file that one process writes from being written by another.
package disk
