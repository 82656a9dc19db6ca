// Command viz is Attention Atlas: the server, and the same things from the
// command line.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// commands are the subcommands; bare viz is viz serve.
type commands struct {
	Serve   serveCmd   `cmd:"" default:"withargs" help:"Serve the pages on this machine."`
	Attend  attendCmd  `cmd:"" help:"Print what mechanisms do with a text."`
	Write   writeCmd   `cmd:"" help:"Let the encoder–decoder write the words of a text in reverse, step by step."`
	Render  renderCmd  `cmd:"" help:"Draw one map into a PNG file."`
	Train   trainCmd   `cmd:"" help:"Train models, or a vocabulary, from text."`
	Verify  verifyCmd  `cmd:"" help:"Hold mechanisms against reference computations."`
	Bench   benchCmd   `cmd:"" help:"Measure how fast the engine is on this machine."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

// streams are where a command writes.
type streams struct {
	out, err io.Writer
}

// run is the program: it returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	var c commands
	exited := false
	parser, err := kong.New(&c,
		kong.Name("viz"),
		kong.Description("Attention Atlas: what attention mechanisms do with a text, drawn from trained weights."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exited, status = true, code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(streams{stdout, stderr}),
	)
	if err != nil {
		fmt.Fprintln(stderr, "viz:", err)
		return 2
	}
	parsed, err := parser.Parse(args)
	if exited { // --help
		return status
	}
	if err != nil {
		fmt.Fprintf(stderr, "viz: %v\nTry viz --help.\n", err)
		return 2
	}
	if err := parsed.Run(); err != nil {
		fmt.Fprintln(stderr, "viz:", err)
		return 1
	}
	return 0
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(s streams) error {
	_, err := fmt.Fprintln(s.out, "viz", version())
	return err
}

// version is the module's version or the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return info.Main.Version
}
