# Development tasks of Quarterdeck. `make help` lists them.
#
# Each task first installs missing dependencies (.ci/install), then builds stale targets, then runs.
# DATA_DIR=… sets the data directory of `run` and `dev`. The default is the platform's convention.

MAKEFLAGS += --no-builtin-rules --no-print-directory
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

comma := ,
DATA_DIR ?=
LISTEN ?= 127.0.0.1:8790
locked := $(if $(CI),--locked)
data_dir := $(if $(DATA_DIR),--data-dir '$(DATA_DIR)')
has_display := $(strip $(DISPLAY) $(WAYLAND_DISPLAY) $(filter Darwin,$(shell uname -s)))
# All workspace builds use the same features: other features would recompile most of the dependency tree.
everything := --workspace --features quarterdeck/desktop $(locked)
# LINTED=1 (CI): Clippy replaces the compiler for our own crates, including benchmarks and examples. The tested code is then linted in the same build, and
# nothing is compiled only for the lints. Clippy separates its arguments with `__CLIPPY_HACKERY__`.
LINTED ?=
linted := $(if $(LINTED),RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__)
# A virtual display and a private message bus: the window of a test neither covers the desktop nor finds a window that is already open.
unseen := $(if $(filter Linux,$(shell uname -s)),xvfb-run -a -s '-screen 0 1400x900x24 -noreset' dbus-run-session --config-file=tests/support/message-bus.conf --)

dev_pages := 127.0.0.1:5173
dev_service = run -p server --bin quarterdeck-server -- serve --listen $(LISTEN) $(data_dir)

# The benchmarks compare imports with DuckDB's Python package.
python := target/bench-python/bin/python3

pages := ui/dist/index.html
modules := ui/node_modules/.package-lock.json
page_sources := $(wildcard schema/generated/schema.graphql schema/generated/openapi.json) $(shell find ui \( -name node_modules -o -name dist -o -name baselines -o -name generated -o -name "*.tsbuildinfo" \) -prune -o -type f -print)

say = @printf '\n── %s\n' "$(1)"

.PHONY: help run serve dev check test test-pages test-build test-service test-baselines baselines bench bench-pages bench-analysis bench-automation bench-grid bench-import bench-waiting fuzz package lint lint-format lint-rust lint-house lint-libraries lint-pages census fmt pages

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ── running the product ──────────────────────────────────────────────────────────────────────────────────────────────

ifneq ($(has_display),)
run: ## run the product: in a window, or without a display as a service; prints its address and a sign-in link
	@.ci/install window pages
	@$(MAKE) -s $(pages)
	$(call say,building the window (the first time takes a few minutes))
	cargo build -p quarterdeck --bin quarterdeck --features desktop $(locked)
	$(call say,opening the window)
	target/debug/quarterdeck $(data_dir)
else
run: serve
endif

serve: ## serve the pages and print their address with a one-time sign-in link
	@.ci/install build pages
	@$(MAKE) -s $(pages)
	$(call say,building the service (the first time takes a few minutes))
	cargo build -p server --bin quarterdeck-server $(locked)
	$(call say,serving; Ctrl+C ends it)
	target/debug/quarterdeck-server serve --listen $(LISTEN) $(data_dir)

dev: ## serve with automatic reload of the pages, and of the service if cargo-watch is installed
	@.ci/install build pages
	@$(MAKE) -s $(modules)
	cargo build -p server --bin quarterdeck-server $(locked)
	$(call say,pages with reload on http://$(dev_pages)$(comma) the service behind them on http://$(LISTEN))
	@echo 'Sign in with the link that the service prints, with $(dev_pages) in place of $(LISTEN).'
	@export QUARTERDECK_HOSTS=$(dev_pages) QUARTERDECK_URL=http://$(LISTEN); \
	trap 'kill $$service 2>/dev/null' EXIT INT TERM; \
	if cargo watch --version >/dev/null 2>&1; \
	then cargo watch -w src-tauri/crates -w schema -x "$(dev_service)" & \
	else echo 'cargo-watch is not installed: after a change of the service, start this again.'; cargo $(dev_service) & \
	fi; service=$$!; \
	npm --prefix ui run dev

# ── checking it ──────────────────────────────────────────────────────────────────────────────────────────────────────

check: ## quick check of a small change: types, lints, and the tests of files changed since the last commit
	@.ci/install lint
	@$(MAKE) lint-format
	@$(MAKE) lint-house
	$(call say,lints of the Rust code$(comma) its tests left out)
	cargo clippy $(everything) -- -D warnings
	$(call say,tests of the changed Rust files)
	.ci/changed-tests
	$(call say,types and lints of the pages$(comma) and tests of the changed files)
	npm --prefix ui run quick

test: ## run all tests: pages, crates, the service over HTTP, a browser and the window
	@.ci/install test
	@$(MAKE) test-pages
	@$(MAKE) test-build
	@$(MAKE) test-service
	@$(MAKE) test-baselines

test-pages: $(pages)
	$(call say,testing the pages)
	npm --prefix ui test

test-build: $(pages)
	$(call say,building everything once$(comma) window included)
	$(linted) cargo build $(everything) --bins --tests $(if $(LINTED),--benches --examples)

test-service:
	$(call say,testing the crates$(comma) the service$(comma) the browser and the window)
	$(linted) $(unseen) .ci/tests cargo test $(everything) --no-fail-fast --lib --bins --tests

test-baselines:
	$(call say,comparing every page with its stored screenshot)
	npm --prefix ui run test:baselines

baselines: ## update the screenshots of changed pages (after an intended change; review them with git)
	@.ci/install build pages test
	@$(MAKE) -s $(pages)
	cargo build $(everything) --bins --tests
	UPDATE_BASELINES=1 npm --prefix ui run test:baselines

bench: ## run the benchmarks; results are ratios within one run
	@.ci/install build pages bench
	@$(MAKE) -s $(pages)
	$(call say,building with optimisation)
	cargo build --release -p server --bin quarterdeck-server $(locked)
	@$(python) -c 'import duckdb' 2>/dev/null || { python3 -m venv target/bench-python && $(python) -m pip install --quiet duckdb; }
	$(call say,measuring)
	cargo bench $(locked) -p e2e --bench first_bill
	cargo bench $(locked) -p e2e --bench interface
	cargo bench $(locked) -p e2e --bench models
	cargo bench $(locked) -p e2e --bench ten_million
	cargo bench $(locked) -p store --bench engine
	cargo bench $(locked) -p store --bench search
	cargo bench $(locked) -p operations --bench talk
	cargo bench $(locked) -p auth --bench acs
	cargo test --release $(locked) -p ingest what_deciding_costs -- --ignored --nocapture
	$(call say,building the window with optimisation)
	cargo build --release $(everything) --bins --example empty_window
	$(call say,measuring the window)
	$(unseen) cargo bench $(locked) -p e2e --bench window

bench-pages: ## benchmark the pages with 10⁶ charges, 10⁵ events, 2·10⁴ pods and a bundle of 150 MB: clicks, search, live updates, download size
	@.ci/install build pages unseen
	@$(MAKE) -s $(pages)
	cargo build --release -p server --bin quarterdeck-server $(locked)
	node tests/benches/console.mjs

bench-analysis: ## measure detection rates and false alarms in generated bills, and forecast errors
	@.ci/install build
	BENCH_SEEDS=100 cargo test --release $(locked) -p analysis --test all -- bench hourly --nocapture --test-threads=1

bench-automation: ## benchmark workflow runs during page queries, timers, an idle engine, kills (BENCH_RUNS=10000 BENCH_KILLS=20 BENCH_DATABASE=postgres)
	@.ci/install build pages bench
	@$(MAKE) -s $(pages)
	cargo build --release -p server --bin quarterdeck-server $(locked)
	cargo bench $(locked) -p e2e --bench automation

bench-import: ## benchmark imports by format, compared with FOCUS and with jq (BENCH_ROWS=500000)
	@.ci/install build pages bench
	@$(MAKE) -s $(pages)
	cargo build --release -p server --bin quarterdeck-server $(locked)
	BENCH_ROWS='$(BENCH_ROWS)' cargo bench $(locked) -p e2e --bench imports

bench-waiting: ## measure how long other writes wait during an import and its undo, on SQLite and PostgreSQL (BENCH_ROWS=100000 BENCH_DATABASE=…)
	@.ci/install build pages bench
	@$(MAKE) -s $(pages)
	cargo build --release -p server --bin quarterdeck-server $(locked)
	cargo bench $(locked) -p e2e --bench waiting

fuzz: ## import damaged files of SHAPE (csv, json, ndjson, yaml, text, parquet, gzip, zstd, zip, tar; or all) for SECONDS; SEED makes it repeatable
	@.ci/install build
	SHAPE='$(SHAPE)' SECONDS='$(SECONDS)' SEED='$(SEED)' cargo test $(everything) --lib fuzz_for_a_while -- --ignored --nocapture

bench-grid: ## compare lists of twenty tables with the best hand-written SQL, as a heat map, on SQLite and PostgreSQL (GRID_ROWS=100000 GRID_TABLES=… GRID_DATABASES=…)
	@.ci/install build
	cargo bench $(locked) -p store --bench grid

package: ## build release packages in target/package: .deb and .rpm of the window, .deb of the service
	@.ci/install package
	@$(MAKE) -s $(pages)
	$(call say,building optimised for size and speed (about 15 minutes))
	cargo build --profile dist $(everything) --bins
	$(call say,packing)
	packaging/build target/dist target/package

lint: ## check formatting, lints, types, libraries and their licences
	@.ci/install lint
	@$(MAKE) lint-format
	@$(MAKE) lint-house
	@$(MAKE) lint-rust
	@$(MAKE) lint-libraries
	@$(MAKE) lint-pages

lint-format:
	$(call say,formatting of the Rust code)
	cargo fmt --all --check

lint-house:
	$(call say,dependencies between crates$(comma) and unwanted code patterns)
	node .ci/census.mjs --check

census: ## count unwanted code patterns; `node .ci/census.mjs --list WORDS` prints their locations
	@node .ci/census.mjs

lint-rust:
	$(call say,lints of the Rust code)
	$(if $(LINTED),@echo 'They passed when everything was built.',cargo clippy $(everything) --all-targets -- -D warnings)
	@# The service alone, as `make run` builds it without a display, is not compiled here: only its features can differ.
	node .ci/features.mjs

lint-libraries:
	$(call say,libraries: licences$(comma) sources$(comma) and allowed uses)
	cargo deny --all-features check bans licenses sources

lint-pages: $(modules)
	$(call say,types$(comma) lints and formatting of the pages)
	npm --prefix ui run check

fmt: $(modules) ## format everything
	cargo fmt --all
	npm --prefix ui run fmt

# ── build steps used by the tasks ──────────────────────────────────────────────────────────────────────────────────────────

pages: $(pages)

$(pages): $(modules) $(page_sources)
	$(call say,building the pages)
	npm --prefix ui run build
	@touch $@

$(modules): ui/package-lock.json
	$(call say,installing the libraries of the pages)
	npm --prefix ui ci --no-audit --no-fund
	@touch $@

comma := ,
