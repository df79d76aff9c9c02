# Build output lives outside the checkout, so that a fresh clone builds warm.
CARGO_TARGET_DIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/quipu/target
export CARGO_TARGET_DIR

# ARGS is handed on to the program or to `cargo test`: `make run ARGS=--help`.
ARGS ?=

QUIPU = "$(CARGO_TARGET_DIR)/release/quipu"

.DEFAULT_GOAL := help
.PHONY: help run build test fuzz-api lint fmt bench prerequisites

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: build ## Build the release binary and start the server
	@exec $(QUIPU) serve $(ARGS)

build: prerequisites ## Build the web pages and the release binary
	@scripts/web.sh build
	cargo build --release --locked -p quipu-server --bin quipu

test: prerequisites ## Run all tests on SQLite and on a private PostgreSQL
	@scripts/test.sh $(ARGS)

fuzz-api: prerequisites ## Fuzz every operation of the API (about four minutes)
	@scripts/schemathesis.sh $(ARGS)

lint: prerequisites ## Check formatting, clippy and the shell scripts
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	@scripts/web.sh check
	@if command -v shellcheck >/dev/null; then \
		echo 'shellcheck scripts/*.sh .ci/run'; \
		shellcheck scripts/*.sh .ci/run; \
	else \
		echo 'shellcheck is not installed, so the shell scripts were not checked.'; \
	fi

fmt: ## Format the Rust code
	cargo fmt --all

bench: build ## Measure the footprint of the release binary
	@exec $(QUIPU) bench footprint $(ARGS)

# The bundled SQLite is compiled from C; scans are read with programs of the system.
prerequisites:
	@scripts/ensure.sh cc
	@scripts/ensure.sh ocr
