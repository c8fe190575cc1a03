# SPDX-License-Identifier: MIT
# roce: `make help` lists what can be made. README.md tells the rest.
.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/bash -o pipefail

PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
SCHEMADIR ?= $(PREFIX)/share/roce/schema
BASHCOMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMPDIR ?= $(PREFIX)/share/zsh/site-functions
FISHCOMPDIR ?= $(PREFIX)/share/fish/vendor_completions.d

CC ?= gcc
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
CFLAGS ?= $(if $(SANITIZE),-O0 -gline-tables-only,-O2 -g)
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wvla
comma := ,
Q := $(if $(V),,@)

# One flavour of the build, one directory: plain (static), DYNAMIC=1, SANITIZE=1. The sanitized one is clang's, so that another compiler has read
# everything, and so that the fuzzers, which need clang's libFuzzer, are made of the same objects.
ifdef SANITIZE
  override CC := clang
  SANITIZERS := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif
FLAVOUR := $(if $(SANITIZE),asan,$(if $(DYNAMIC),dynamic,static))
B := build/$(FLAVOUR)$(if $(SANITIZE),,$(if $(filter-out gcc,$(notdir $(CC))),-$(notdir $(CC))))
ROCE := $(if $(filter build/static,$(B)),build/roce,$(B)/roce)

TAGGED := $(shell git describe --tags --exact-match >/dev/null 2>&1 && echo yes)
VERSION := $(shell cat VERSION)$(if $(TAGGED),,$(addprefix +,$(shell git describe --always --dirty --exclude '*' 2>/dev/null)))

CPPFLAGS += -D_GNU_SOURCE -DRDMA_STATIC_PROVIDERS=all -Isrc -I$(B) -include src/base/banned.h
# What an attack meets: checked buffers and stack frames, indirect branches only to their targets (x86), code at a random address, tables
# that are read-only before main. The sanitizers bring their own.
HARDENING := $(if $(SANITIZE),,-fPIE -fstack-protector-strong -fstack-clash-protection \
  $(if $(filter -O%,$(filter-out -O0,$(CFLAGS))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2) \
  $(if $(filter x86_64-% i%86-%,$(shell $(CC) -dumpmachine)),-fcf-protection))
HARDENED_LINK := -Wl,-z,relro,-z,now,-z,noexecstack
ALL_CFLAGS := -std=gnu11 -ffunction-sections -fdata-sections $(WARNINGS) $(HARDENING) $(CFLAGS) $(SANITIZERS)

# STRICT=1, for the tests: a warning is an error, and gcc's analyzer reads along. Neither changes what is made, so it is no flavour of its own; an
# object that was compiled without is compiled again (see OBJECTS).
ifdef STRICT
  STRICT_CFLAGS := -Werror $(if $(filter gcc,$(notdir $(CC))),-fanalyzer)
  STRICT_LINK := -Wl,--fatal-warnings
endif

PKG_LIBS := libibverbs librdmacm
ifneq ($(DYNAMIC)$(SANITIZE),)
  # the sanitizers need a dynamic program: the same code and the shared libraries
  CPPFLAGS := $(filter-out -DRDMA_STATIC_PROVIDERS=all,$(CPPFLAGS))
  LIBS = -lrdmacm -libverbs -lmnl -ljansson
  SKIP_SOURCES := src/base/noresolver.c
  PIE := -pie
else
  MNL := $(firstword $(wildcard /usr/lib/x86_64-linux-gnu/libmnl.a /usr/lib/libmnl.a /usr/lib64/libmnl.a) build/deps/libmnl.a)
  LIBS = $(MNL) -ljansson $(shell pkg-config --static --libs $(PKG_LIBS) 2>/dev/null)
  LINK := -static-pie -Wl,-z,pack-relative-relocs
  STRIP := strip
endif

ifdef SANITIZE
  PIE := -no-pie # starts in two thirds of the time, as nothing is relocated, and it starts thousands of times
endif

SOURCES := $(filter-out $(SKIP_SOURCES),$(sort $(shell find src -name '*.c')))
COMMANDS := $(sort $(wildcard cmd/*.c cmd/compat/*.c))
OBJECTS := $(patsubst %.c,$(B)/%.o,$(SOURCES) $(COMMANDS)) $(B)/commands.o
ifdef STRICT
$(filter-out $(patsubst %.strict,%.o,$(shell find $(B) -name '*.strict' 2>/dev/null)),$(OBJECTS)): FORCE
endif
LIBRARY := $(filter-out $(B)/src/main.o,$(OBJECTS))

.DEFAULT_GOAL := all
.PHONY: all deps run test check install uninstall clean bench fuzz help format FORCE
all: $(ROCE)

$(ROCE): $(OBJECTS) $(MNL)
	@echo "  LINK    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LINK) $(PIE) $(HARDENED_LINK) $(STRICT_LINK) -Wl,--gc-sections -o $@.new $(OBJECTS) $(LIBS)
	$(if $(STRIP),$(Q)cp $@.new $(B)/roce.debug && $(STRIP) $@.new)
	$(Q)mv $@.new $@

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(compile)

$(B)/commands.o: $(B)/commands.c $(B)/flags
	$(compile)

define compile
$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(STRICT_CFLAGS) -MMD -MP -c -o $@ $<
$(Q)$(if $(STRICT),touch,rm -f) $(@:.o=.strict)
endef

# The table of commands: cmd_NAME of every file in cmd/.
$(B)/commands.c: $(B)/command-list Makefile
	$(Q){ echo '#include "command/command.h"'; \
	  for n in $$(cat $<); do echo "extern const struct command cmd_$$n;"; done; \
	  echo 'const struct command *const commands[] = {'; \
	  for n in $$(cat $<); do echo "    &cmd_$$n,"; done; \
	  echo '    NULL,'; echo '};'; } >$@

# Written anew only when what is in them changes, so that a new file, flag or version rebuilds what it must and no more.
define write_if_changed
@mkdir -p $(@D); printf '%s\n' "$$CONTENT" | cmp -s - $@ || printf '%s\n' "$$CONTENT" >$@
endef
$(B)/command-list: export CONTENT = $(subst -,_,$(basename $(notdir $(COMMANDS))))
$(B)/command-list: FORCE
	$(write_if_changed)
$(B)/flags: export CONTENT = $(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) $(LINK)
$(B)/flags: FORCE
	$(write_if_changed)
$(B)/version.h: export CONTENT = $(hash)define ROCE_VERSION "$(VERSION)"
$(B)/version.h: FORCE
	$(write_if_changed)
hash := \#
$(B)/cmd/version.o $(B)/src/view/json.o $(B)/src/view/metrics/devices.o $(B)/cmd/compat/ibstat.o: $(B)/version.h
$(B)/cmd/completion.o: completions/roce.bash completions/_roce completions/roce.fish

# -- dependencies ---------------------------------------------------------------------------------------------------------
QUICK_PACKAGES := libcriterion-dev clang-format jq
BUILD_PACKAGES := gcc make pkg-config libibverbs-dev librdmacm-dev libnl-3-dev libnl-route-3-dev libmnl-dev libjansson-dev git file
TEST_PACKAGES := $(QUICK_PACKAGES) clang libclang-rt-dev shellcheck mandoc python3-jsonschema expect bash-completion zsh fish \
  infiniband-diags ibverbs-utils ibverbs-providers rdma-core perftest rdmacm-utils iproute2 nftables ethtool strace
PACKAGES = $(sort $(BUILD_PACKAGES) $(TEST_PACKAGES) $(shell cat tests/*/packages))
# The command that prints those of a list that aren't installed; where there is no dpkg, none.
missing = ! command -v dpkg-query >/dev/null || dpkg-query -W -f '$${db:Status-Abbrev} $${Package}\n' $(1) 2>/dev/null | awk '$$1 == "ii" {print $$2}' | \
  sort -u | comm -13 - <(printf '%s\n' $(1) | sort -u)

deps: deps-packages ## install what building and testing need (Debian)
	@$(MAKE) --no-print-directory deps-mnl
deps-packages:
	@missing=$$($(call missing,$(PACKAGES))); \
	if [ -n "$$missing" ]; then \
	  echo "  DEPS    $$(echo $$missing)"; \
	  [ "$$(id -u)" = 0 ] || { echo "make deps needs root to install: $$(echo $$missing)" >&2; exit 1; }; \
	  export DEBIAN_FRONTEND=noninteractive; \
	  apt-get -qq -o DPkg::Lock::Timeout=300 update && \
	  apt-get -qq -y -o DPkg::Lock::Timeout=300 install --no-install-recommends $$missing >build/deps.log 2>&1 || { tail -n 20 build/deps.log >&2; exit 1; }; \
	fi
deps-mnl: $(MNL)
deps-packages: | build
build:
	@mkdir -p build

# Debian 12's libmnl-dev has no static library, Debian 13's has one that links here as well.
build/deps/libmnl.a:
	@echo "  FETCH   libmnl.a (Debian 13's libmnl-dev)"
	$(Q)tests/debian-packages -s trixie build/deps/mnl libmnl-dev
	$(Q)cp build/deps/mnl/usr/lib/*/libmnl.a $@

# -- use ------------------------------------------------------------------------------------------------------------------
run: deps ## install dependencies, build, show this machine (or a recorded one)
	@$(MAKE) --no-print-directory all
	@tests/run-here $(ROCE)

install: all ## install binary, manual, JSON schemas and completions below $(DESTDIR)$(PREFIX); LINKS=1: the drop-ins' names too
	install -D -m 755 $(ROCE) $(DESTDIR)$(BINDIR)/roce
	$(foreach page,$(wildcard man/*.[1-8]),install -D -m 644 $(page) $(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(notdir $(page)) &&) true
	man/schemas man/roce-json.5 $(DESTDIR)$(SCHEMADIR)
	install -D -m 644 completions/roce.bash $(DESTDIR)$(BASHCOMPDIR)/roce
	install -D -m 644 completions/_roce $(DESTDIR)$(ZSHCOMPDIR)/_roce
	install -D -m 644 completions/roce.fish $(DESTDIR)$(FISHCOMPDIR)/roce.fish
	$(if $(LINKS),$(DESTDIR)$(BINDIR)/roce install-links $(DESTDIR)$(BINDIR))

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(BINDIR)/roce $(foreach page,$(wildcard man/*.[1-8]),$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(notdir $(page)))
	rm -f $(DESTDIR)$(SCHEMADIR)/roce-*.schema.json
	-rmdir $(DESTDIR)$(SCHEMADIR) $(DESTDIR)$(dir $(SCHEMADIR)) 2>/dev/null
	rm -f $(DESTDIR)$(BASHCOMPDIR)/roce $(DESTDIR)$(ZSHCOMPDIR)/_roce $(DESTDIR)$(FISHCOMPDIR)/roce.fish
	for n in $(subst _c,,$(basename $(notdir $(wildcard cmd/compat/*.c)))); do f=$(DESTDIR)$(BINDIR)/$$n; \
	  [ "$$(readlink $$f)" != roce ] || rm -f $$f; done

clean: ## remove what was built (what was fetched too: build/)
	rm -rf build

# -- tests ----------------------------------------------------------------------------------------------------------------
include tests/tests.mk

format: ## format the source
	clang-format -i $$(git ls-files '*.c' '*.h')

help: ## this list
	@awk -F ' ## ' '/^[a-z-]+:.* ## / {split($$1, t, ":"); printf "  make %-12s %s\n", t[1], $$2}' $(MAKEFILE_LIST)
	@echo '  Variables: PREFIX DESTDIR BINDIR MANDIR CC CFLAGS LDFLAGS; DYNAMIC=1 links dynamically; STRICT=1 takes'
	@echo '  warnings for errors; V=1 shows commands'

FORCE:
-include $(OBJECTS:.o=.d)
