// Package disk reads and writes whole files safely. Whatever a folder contains, and whatever happens
// to the machine, causes an error at worst. Only regular files of a bounded size are read. Files
// are replaced in one step, which is either complete or undone after a loss of power. Locks prevent
// other processes from writing a file that this process writes.
package disk
