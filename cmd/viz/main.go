// Command viz is Attention Atlas: the server, and the same things from the
// command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"attnatlas/engine/tensor"
	"attnatlas/web/atlas"
)

func main() {
	os.Exit(signalled(func(ctx context.Context) int { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) }))
}

// signalled runs do with a context that the first signal ends. The second ends the process, also when it comes as soon
// as something ends because of the first.
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

// commands are the subcommands; bare viz is viz serve.
type commands struct {
	Compute    string        `enum:"fast,portable" default:"fast" env:"VIZ_COMPUTE" help:"${compute}"`
	Serve      serveCmd      `cmd:"" default:"withargs" help:"${command_serve}"`
	Attend     attendCmd     `cmd:"" help:"${command_attend}"`
	Compare    compareCmd    `cmd:"" help:"${command_compare}"`
	Race       raceCmd       `cmd:"" help:"${command_race}"`
	Write      writeCmd      `cmd:"" help:"${command_write}"`
	Find       findCmd       `cmd:"" help:"${command_find}"`
	Explain    explainCmd    `cmd:"" help:"${command_explain}"`
	Steps      stepsCmd      `cmd:"" help:"${command_steps}"`
	Desk       deskCmd       `cmd:"" help:"${command_desk}"`
	Inspect    inspectCmd    `cmd:"" help:"${command_inspect}"`
	Render     renderCmd     `cmd:"" aliases:"export" help:"${command_render}"`
	Publish    publishCmd    `cmd:"" help:"${command_publish}"`
	Train      trainCmd      `cmd:"" help:"${command_train}"`
	Evaluate   evaluateCmd   `cmd:"" help:"${command_evaluate}"`
	Record     recordCmd     `cmd:"" help:"${command_record}"`
	Verify     verifyCmd     `cmd:"" help:"${command_verify}"`
	Models     modelsCmd     `cmd:"" help:"${command_list}"`
	Tokens     tokensCmd     `cmd:"" help:"${command_tokens}"`
	Cost       costCmd       `cmd:"" help:"${command_cost}"`
	Bench      benchCmd      `cmd:"" help:"${command_bench}"`
	Completion completionCmd `cmd:"" help:"${command_completion}"`
	Version    versionCmd    `cmd:"" help:"${command_version}"`
}

// streams are where a command writes.
type streams struct {
	out, err io.Writer
}

// What run returns, beside 0. A second signal ends the process with the system's own status.
const (
	failed      = 1
	misused     = 2
	interrupted = 130
)

// run is the program: it returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	var c commands
	exited := false
	parser, err := kong.New(&c,
		kong.Name("viz"),
		kong.Description(say("summary")+"\n\n"+say("status")),
		helpTexts(),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exited, status = true, code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(streams{stdout, stderr}),
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
	err = parsed.Run()
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
	_, err := fmt.Fprintln(s.out, "viz", atlas.Version())
	return err
}
