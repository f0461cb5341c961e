# Thin: meson does the work. `make demo` and `make test` need only git, make and a C compiler to begin with.
BUILD ?= build
FUZZ_SECONDS ?= 60
SIM_SEED ?= 1
SIM_COUNT ?= 200000

.PHONY: all build setup setup-test demo test bench bench-overload bench-scaling bench-growth bench-parts bench-recursion bench-flood sim fuzz install clean

all: build

setup:
	tools/setup.sh build

setup-test:
	tools/setup.sh build test

build: setup
	test -f $(BUILD)/build.ninja || meson setup $(BUILD)
	ninja -C $(BUILD) saker

demo: build
	tools/demo.py $(BUILD)/saker

test: setup-test
	tools/check_floors.py
	tools/check_docs.py
	tools/check_style.py
	tools/check_man.sh
	test -f $(BUILD)/build.ninja || meson setup $(BUILD)
	ninja -C $(BUILD)
	meson test -C $(BUILD)

# Beside echo and the peers that are installed; minutes. BENCH_ARGS='--peers knot --workload tld' makes it shorter, and
# leaves the page as it is.
BENCH_PAGE = $(if $(BENCH_ARGS),,--page docs/performance.md)

bench: build
	bench/compare.py --saker $(BUILD)/saker --json $(BUILD)/bench-compare.json $(BENCH_PAGE) $(BENCH_ARGS)

bench-overload: build
	bench/overload.py --saker $(BUILD)/saker --json $(BUILD)/bench-overload.json $(BENCH_PAGE) \
		$(if $(BENCH_ARGS),,--plots docs) $(BENCH_ARGS)

bench-scaling: build
	bench/scaling.py --saker $(BUILD)/saker --json $(BUILD)/bench-scaling.json $(BENCH_PAGE) $(BENCH_ARGS)

# Of zones from 10,000 to 10,000,000 delegations.
bench-growth: build
	bench/growth.py --saker $(BUILD)/saker --json $(BUILD)/bench-growth.json $(BENCH_PAGE) \
		$(if $(BENCH_ARGS),,--plots docs) $(BENCH_ARGS)

# Of the resolver, against a simulated internet (wants root: a network namespace).
bench-recursion: build
	bench/recursion.py --saker $(BUILD)/saker --json $(BUILD)/bench-recursion.json $(BENCH_PAGE) $(BENCH_ARGS)

# A resolver with a small cache under a flood of random names.
bench-flood: build
	bench/flood.py --saker $(BUILD)/saker --json $(BUILD)/bench-flood.json $(BENCH_PAGE) $(BENCH_ARGS)

# Of single parts, without a server.
bench-parts: setup-test
	test -f $(BUILD)/build.ninja || meson setup $(BUILD)
	meson test -C $(BUILD) --benchmark --verbose

# So many small internets, each with questions, each from a seed of its own: tests/replay/sim.c.
sim: setup-test
	test -f $(BUILD)/build.ninja || meson setup $(BUILD)
	ninja -C $(BUILD) tests/sim
	$(BUILD)/tests/sim --seed $(SIM_SEED) --count $(SIM_COUNT)

fuzz: setup-test
	tools/fuzz.sh $(FUZZ_SECONDS)

install: build
	meson install -C $(BUILD) --no-rebuild

clean:
	rm -rf build build-*
