// Command viz is Attention Atlas: the server, and its functions on the command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"attnatlas/engine/tensor"
	"attnatlas/engine/version"

	"github.com/alecthomas/kong"
)

func main() {
	os.Exit(signalled(func(ctx context.Context) int { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) }))
}

// signalled runs do with a context that the first signal ends. A second signal ends the process, even if it comes
// right after the first.
func signalled(do func(context.Context) int) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	first := make(chan os.Signal, 1)
	signal.Notify(first, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-first
		signal.Stop(first)
		cancel()
	}()
	return do(ctx)
}

// commands are the subcommands, in the groups and the order of help; bare viz is viz serve.
type commands struct {
	Compute    string        `enum:"fast,portable" default:"fast" env:"VIZ_COMPUTE" help:"compute"`
	Serve      serveCmd      `cmd:"" default:"withargs" group:"explore" help:"command.serve"`
	Attend     attendCmd     `cmd:"" group:"explore" help:"command.attend"`
	Compare    compareCmd    `cmd:"" group:"explore" help:"command.compare"`
	Race       raceCmd       `cmd:"" group:"explore" help:"command.race"`
	Write      writeCmd      `cmd:"" group:"explore" help:"command.write"`
	Match      matchCmd      `cmd:"" group:"explore" help:"command.match"`
	Find       findCmd       `cmd:"" group:"explore" help:"command.find"`
	Desk       deskCmd       `cmd:"" group:"inside" help:"command.desk"`
	Explain    explainCmd    `cmd:"" group:"inside" help:"command.explain"`
	Steps      stepsCmd      `cmd:"" group:"inside" help:"command.steps"`
	Tokens     tokensCmd     `cmd:"" group:"inside" help:"command.tokens"`
	Render     renderCmd     `cmd:"" aliases:"export" group:"export" help:"command.render"`
	Inspect    inspectCmd    `cmd:"" group:"export" help:"command.inspect"`
	Publish    publishCmd    `cmd:"" group:"export" help:"command.publish"`
	Models     modelsCmd     `cmd:"" group:"models" help:"command.list"`
	Train      trainCmd      `cmd:"" group:"models" help:"command.train"`
	Record     recordCmd     `cmd:"" group:"models" help:"command.record"`
	Evaluate   evaluateCmd   `cmd:"" group:"models" help:"command.evaluate"`
	Verify     verifyCmd     `cmd:"" group:"measure" help:"command.verify"`
	Cost       costCmd       `cmd:"" group:"measure" help:"command.cost"`
	Bench      benchCmd      `cmd:"" group:"measure" help:"command.bench"`
	Completion completionCmd `cmd:"" group:"shell" help:"command.completion"`
	Version    versionCmd    `cmd:"" group:"shell" help:"command.version"`
}

// streams are the outputs of a command.
type streams struct {
	out, err io.Writer
}

// These are the statuses that run returns, besides 0. A second signal ends the process with the system's own status.
const (
	failed      = 1
	misused     = 2
	interrupted = 130
)

// run is the program. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	var c commands
	exited, out := false, &ending{ctx: ctx, to: stdout}
	stderr = &ending{ctx: ctx, to: stderr}
	parser, err := kong.New(&c,
		kong.Name("viz"),
		kong.Description(say("summary")),
		helpTexts(),
		kong.Help(printHelp),
		kong.Writers(out, stderr),
		kong.Exit(func(code int) { exited, status = true, code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(streams{out, stderr}),
	)
	if err != nil {
		fmt.Fprintln(stderr, "viz:", err)
		return misused
	}
	parsed, err := parser.Parse(args)
	if exited { // --help
		return status
	}
	if err != nil {
		fmt.Fprintf(stderr, "viz: %v\n%s\n", err, say("try"))
		return misused
	}
	if c.Compute == "portable" {
		tensor.Portable()
	}
	err = out.failed(parsed.Run())
	switch {
	case err == nil:
		return 0
	case ctx.Err() == nil:
		fmt.Fprintln(stderr, "viz:", err)
		return failed
	case errors.Is(err, context.Canceled):
		err = wrong("interrupted")
	}
	fmt.Fprintln(stderr, "viz:", err)
	return interrupted
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(s streams) error {
	_, err := fmt.Fprintln(s.out, "viz", version.Current())
	return err
}
