package main

import (
	"io/fs"
	"net"
	"os"
)

// listen opens the socket or, without one, the address.
func (c *serveCmd) listen() (net.Listener, error) {
	if c.Socket != "" {
		return listenAt(c.Socket)
	}
	return listen(c.Addr)
}

// listen opens an address. If another program uses it, the error says what to do.
func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, wrong("listen", "address", addr, "cause", err.Error())
	}
	return l, nil
}

// listenAt opens a Unix socket for its owner alone. It replaces a socket whose server has ended, and nothing else.
func listenAt(file string) (net.Listener, error) {
	if info, err := os.Lstat(file); err == nil && info.Mode().Type() == fs.ModeSocket && !answers(file) {
		_ = os.Remove(file) // if this fails, listening fails, too
	}
	l, err := net.Listen("unix", file)
	if err == nil {
		err = os.Chmod(file, 0o600)
	}
	if err != nil {
		return nil, wrong("socket", "file", file, "cause", err.Error())
	}
	return l, nil
}

// answers reports whether a server listens at a socket.
func answers(file string) bool {
	c, err := net.Dial("unix", file)
	if err == nil {
		_ = c.Close()
	}
	return err == nil
}

// reachable returns the address to type into a browser, or the socket for a proxy.
func (c *serveCmd) reachable(l net.Listener) string {
	if c.Socket != "" {
		return "unix:" + c.Socket
	}
	return "http://" + hostOf(c.Addr, l) + c.Base + "/"
}

// hostOf returns the host as the user gave it, with the port in use.
func hostOf(addr string, l net.Listener) string {
	host, _, err := net.SplitHostPort(addr)
	_, port, err2 := net.SplitHostPort(l.Addr().String())
	if err != nil || err2 != nil {
		return l.Addr().String()
	}
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}
