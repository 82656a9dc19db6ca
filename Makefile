# make test does everything that the tests need, runs them all and lists the ten slowest.
# make check adds what CI asks besides: formatting, generated files, lint, and the tests again as they are
# for other processors, in double precision and with the race detector.

GO ?= go
CACHE := $(CURDIR)/.cache
NODE := $(CACHE)/node
AXE := $(NODE)/node_modules/axe-core/axe.min.js
WABT := $(NODE)/node_modules/wabt/bin/wat2wasm

.PHONY: python wheels run pictures test build gradients check generate lint chromium axe soak bench-browser release \
	reproducible

run:
	$(GO) run ./cmd/viz

# What the tests need is downloaded while the code is compiled. Vetting takes minutes with an empty cache, so the linter of
# make check does it.
test:
	$(MAKE) --no-print-directory -j5 chromium axe python build gradients
	VIZ_AXE=$(AXE) $(GO) run -C tools ./slowest .. -vet=off -timeout 30m ./...

build:
	$(GO) build ./...

# Gradients are checked in double precision.
gradients:
	$(GO) test -vet=off -timeout 30m -tags f64 -run 'Gradients|InfluenceIsWhatMoves' \
		./engine/attention ./engine/encoder ./engine/metrics

# The tests come last: the last lines are the test runner's. Without assembly of its own, arm64 has the files of purego. On
# machines of 32 bits counts must not be ints. The race detector looks on where goroutines meet. Hostile
# texts come one after the other. Browser tests (not -short) take too long with it.
check: lint
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "gofmt would change:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) tool templ generate -check
	$(GO) mod tidy -diff
	cd engine/tensor/internal/gen && ./check.sh
	GOARCH=arm64 $(GO) vet ./...
	GOARCH=386 $(GO) vet ./...
	[ "$$($(GO) env GOHOSTARCH)" != amd64 ] || GOARCH=386 $(GO) test -vet=off -run 'FLOPs|OperationsOfLongTexts' ./engine/attention ./engine/costs
	$(GO) mod verify
	$(GO) run -C tools ./bom -dir .. -out $(CACHE)/bom
	$(GO) test -C tools ./slowest
	$(GO) vet -tags purego ./engine/...
	$(GO) test -vet=off -timeout 30m -tags purego ./engine/tensor ./engine/verify
	$(GO) test -timeout 30m -tags f64 ./engine/tensor ./engine/ad ./engine/nn ./engine/attention ./engine/encoder ./engine/metrics
	$(GO) test -vet=off -timeout 30m -race -skip '^TestHostileText$$' ./engine ./web
	$(GO) test -vet=off -timeout 30m -race -short ./engine/explain ./web/site ./web/reports ./web/admission ./web/long/... \
		./web/secondtext ./web/wall
	$(MAKE) --no-print-directory soak SOAK=2m QUIET=
	$(MAKE) --no-print-directory test

lint:
	$(GO) tool -modfile=tools/go.mod golangci-lint run

# 64 visitors beside a training, for ten minutes: what they waited, and what it left behind; and ten
# who ask for the influence of everything at once, beside one who looks at walls.
SOAK ?= 10m
QUIET ?= 1
soak:
	VIZ_SOAK=$(SOAK) VIZ_SOAK_QUIET=$(QUIET) $(GO) test -count=1 -timeout 30m -v -run '^TestSoak' ./cmd/viz

# What a press of a key, a move of the hand and a change of colours cost the browser, with 4 and 27 cards.
ROUNDS ?= 5
bench-browser: chromium
	VIZ_BENCH_BROWSER=$(ROUNDS) $(GO) test -count=1 -timeout 30m -parallel 1 -v -run '^TestBench(Browser|Live)$$' ./cmd/viz

# The programs of a release, with their hashes, licences and bill of materials; the same commit gives
# the same bytes wherever it is built.
release:
	./tools/release.sh dist

# The Python package for Linux, macOS and Windows with the program in it, and one without it, in dist/wheels.
wheels: release python
	./tools/wheels.sh dist $(CACHE)/python/bin/python3

# Builds a commit as two builders with other settings would, and compares every byte. PLATFORMS, such as
# darwin/arm64, says of which systems.
reproducible: python
	./tools/reproducible.sh $(PLATFORMS)

# The pictures of README and docs/guide.md, drawn anew.
pictures: chromium
	GO="$(GO)" ./tools/pictures.sh

generate:
	$(GO) generate ./...
	$(GO) tool templ generate

# The browser tests look for Chromium under its usual names. As root on a
# machine with apt it is installed; elsewhere the message says how.
chromium:
	@./tools/chromium.sh

# axe-core, the accessibility checker that the browser tests run in the pages, and the slides that show our
# snippets are used for tests only and are not part of the program, nor is wat2wasm, which assembles engine/simd128.
axe: $(AXE) $(WABT)

# The Python package is tested with what it can use, NumPy, anywidget and a notebook server, and snippets in what they
# are for, in an environment of its own.
python:
	@if command -v python3 >/dev/null; then \
		test -x $(CACHE)/python/bin/python3 || python3 -m venv $(CACHE)/python; \
		$(CACHE)/python/bin/pip install --quiet --no-compile --disable-pip-version-check 'numpy>=1.26' 'anywidget>=0.9' pandas matplotlib xarray nbconvert nbclient ipykernel jupyter-server-proxy sphinx myst-parser 'setuptools==80.9.0'; \
	elif [ -n "$$CI" ]; then \
		echo "python3 is missing: the tests of the Python package need it"; exit 1; \
	else \
		echo "python3 is missing: the tests of the Python package are left out. Install Python 3 to run them."; \
	fi

# It comes with the same installation.
$(WABT): $(AXE) ;

$(AXE):
	@if command -v npm >/dev/null; then \
		npm install --no-audit --no-fund --silent --prefix $(NODE) reveal.js@5.2.1 @marp-team/marp-core@4.2.0 axe-core@4.14.1 wabt@1.0.37; \
	elif [ -n "$$CI" ]; then \
		echo "npm is missing: the tests of the pages need axe-core, reveal.js and Marp from the npm registry"; exit 1; \
	else \
		echo "npm is missing: the checks of accessibility and of slides are left out. Install Node.js to run it."; \
	fi
