# Thin: meson does the work. `make demo` and `make test` need only git, make and a C compiler to begin with.
BUILD ?= build
FUZZ_SECONDS ?= 60

.PHONY: all build setup setup-test demo test bench fuzz install clean

all: build

setup:
	tools/setup.sh build

setup-test:
	tools/setup.sh build test

build: setup
	test -f $(BUILD)/build.ninja || meson setup $(BUILD)
	ninja -C $(BUILD)

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

bench: build
	meson test -C $(BUILD) --benchmark --verbose

fuzz: setup-test
	tools/fuzz.sh $(FUZZ_SECONDS)

install: build
	meson install -C $(BUILD)

clean:
	rm -rf build build-*
