# SPDX-License-Identifier: MIT
# roce: `make help` lists the targets. README.md explains the rest.
.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/bash -o pipefail

PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
SCHEMADIR ?= $(PREFIX)/share/roce/schema
DOCDIR ?= $(PREFIX)/share/doc/roce
BASHCOMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMPDIR ?= $(PREFIX)/share/zsh/site-functions
FISHCOMPDIR ?= $(PREFIX)/share/fish/vendor_completions.d

ARCHITECTURES := amd64 arm64 ppc64el riscv64 s390x
TRIPLET_amd64 := x86_64-linux-gnu
TRIPLET_arm64 := aarch64-linux-gnu
TRIPLET_ppc64el := powerpc64le-linux-gnu
TRIPLET_riscv64 := riscv64-linux-gnu
TRIPLET_s390x := s390x-linux-gnu
$(foreach a,$(ARCHITECTURES),$(eval CC_$(a) := $(TRIPLET_$(a))-gcc)$(eval STRIP_$(a) := $(TRIPLET_$(a))-strip))

CC ?= gcc
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
CFLAGS ?= $(if $(SANITIZE),-O0 -gline-tables-only,-O2 -g)
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wvla
comma := ,
Q := $(if $(V),,@)

# One directory per flavour of the build: plain (static), DYNAMIC=1, SANITIZE=1. The sanitized one uses clang, so that a second compiler reads
# everything, and so that the fuzzers, which need clang's libFuzzer, are built from the same objects.
ifdef SANITIZE
  override CC := clang
  SANITIZERS := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif

# ARCH=arm64 (or ppc64el, riscv64, s390x: Debian's names) builds the static binary for another architecture with Debian's cross compiler.
MACHINE := $(shell dpkg --print-architecture 2>/dev/null)
CROSS := $(filter-out $(MACHINE),$(ARCH))
ifdef CROSS
  TRIPLET := $(or $(TRIPLET_$(CROSS)),$(error ARCH=$(CROSS): there are $(ARCHITECTURES)))
  override CC := $(CC_$(CROSS))
  STRIP := $(STRIP_$(CROSS))
else
  TRIPLET := $(shell $(CC) -print-multiarch 2>/dev/null)
  STRIP := strip
endif

FLAVOUR := $(if $(SANITIZE),asan,$(if $(DYNAMIC),dynamic,static))$(addprefix -,$(CROSS))
B := build/$(FLAVOUR)$(if $(SANITIZE)$(CROSS),,$(addprefix -,$(notdir $(filter-out gcc,$(firstword $(CC))))))
ROCE := $(if $(filter build/static,$(B)),build/roce,$(B)/roce)

TAGGED := $(shell git describe --tags --exact-match >/dev/null 2>&1 && echo yes)
VERSION := $(shell cat VERSION)$(if $(TAGGED),,$(addprefix +,$(shell git describe --always --dirty --exclude '*' 2>/dev/null)))

CPPFLAGS += -D_GNU_SOURCE -DRDMA_STATIC_PROVIDERS=all $(addprefix -isystem ,$(DEPS_INCLUDES)) -Isrc -I$(B) -include src/base/base.h
DUMPMACHINE := $(shell $(CC) -dumpmachine)
# Against attacks: checked buffers and stack frames, indirect branches only to their targets (x86, ARM), code at a random address, tables
# that are read-only before main. The sanitizers bring their own.
HARDENING := $(if $(SANITIZE),,-fPIE -fstack-protector-strong -fstack-clash-protection \
  $(if $(filter -O%,$(filter-out -O0,$(CFLAGS))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3) \
  $(if $(filter x86_64-%,$(DUMPMACHINE)),-fcf-protection) $(if $(filter aarch64-%,$(DUMPMACHINE)),-mbranch-protection=standard))
HARDENED_LINK := -Wl,-z,relro,-z,now,-z,noexecstack
# The binary is copied from host to host: no padding for alignment (a twentieth of the code), and no index of unwinding tables, as nothing unwinds.
SMALL := $(if $(SANITIZE),,$(if $(filter %gcc,$(notdir $(firstword $(CC)))),-fno-align-functions -fno-align-jumps -fno-align-loops))
SMALL_LINK := $(if $(SANITIZE)$(DYNAMIC),,-Wl$(comma)--no-eh-frame-hdr -Wl$(comma)-T$(comma)src/unwinding.ld)
# The same bytes wherever it is built, and with STRICT=1, whose options would otherwise be recorded in the debug information.
REPRODUCIBLE := -gno-record-gcc-switches '-ffile-prefix-map=$(CURDIR)=.'
ALL_CFLAGS := -std=gnu11 $(REPRODUCIBLE) -fno-asynchronous-unwind-tables -fno-unwind-tables -ffunction-sections -fdata-sections $(SMALL) $(WARNINGS) $(HARDENING) $(CFLAGS) $(SANITIZERS)

# STRICT=1, for the tests: warnings are errors, and gcc's analyzer runs too. Neither changes the output, so it isn't a flavour of its own; objects
# compiled without it are compiled again (see OBJECTS).
ifdef STRICT
  STRICT_CFLAGS := -Werror $(if $(filter gcc,$(notdir $(CC))),-fanalyzer)
  STRICT_LINK := -Wl,--fatal-warnings
endif

# Terminals whose descriptions are compiled in, for `roce top` on hosts without any; terminfo.c knows which others resemble them.
TERMINALS := alacritty ansi kitty linux rxvt rxvt-unicode-256color screen screen-256color tmux tmux-256color vt100 vt220 xterm xterm-256color

PKG_LIBS := libibverbs librdmacm
ifneq ($(DYNAMIC)$(SANITIZE),)
  # the sanitizers need a dynamic program: the same code and the shared libraries
  CPPFLAGS := $(filter-out -DRDMA_STATIC_PROVIDERS=all,$(CPPFLAGS))
  LIBS = -lrdmacm -libverbs -lmnl -ljansson -ltinfo -lcares -lz -lm
  SKIP_SOURCES := src/base/noresolver.c src/base/newer_libc.c
  STRIP :=
  PIE := -pie
else
  # The newest rdma-core in Debian, for the providers of newer NICs, and what another architecture lacks; without apt, everything is the
  # system's.
  ifneq ($(shell command -v apt-get),)
    DEPS := build/deps/$(or $(CROSS),$(MACHINE))
    DEPS_INCLUDES := $(foreach d,$(DEPS) $(if $(CROSS),$(DEPS)/system),$(d)/usr/include)
    DEPS_LIBRARIES := $(foreach d,$(DEPS)/usr $(if $(CROSS),$(DEPS)/system/usr $(DEPS)/system),$(d)/lib/$(TRIPLET))
  endif
  PC_PATH := $(subst $() ,:,$(addsuffix /pkgconfig,$(DEPS_LIBRARIES)))
  LIBS = $(addprefix -L,$(DEPS_LIBRARIES)) -lmnl -ljansson -ltinfo -lcares -lz -lm \
    $(filter-out -L%,$(shell $(PC) --static --libs $(PKG_LIBS) 2>/dev/null))
  # on most architectures glibc supports static programs at a random address, but not yet on s390x
  LINK := $(if $(filter /%,$(shell $(CC) -print-file-name=rcrt1.o)),-static-pie,-static) $(if $(filter x86_64-%,$(DUMPMACHINE)),-Wl$(comma)-z$(comma)pack-relative-relocs)
endif

ifdef SANITIZE
  PIE := -no-pie # starts in two thirds of the time without relocation, and it is started thousands of times
endif

SOURCES := $(filter-out $(SKIP_SOURCES),$(sort $(shell find src -name '*.c')))
COMMANDS := $(wildcard cmd/*.c cmd/compat/*.c)
OBJECTS := $(patsubst %.c,$(B)/%.o,$(SOURCES) $(COMMANDS)) $(B)/version.o $(B)/terminals.o $(B)/knowledge.o
ifdef STRICT
$(filter-out $(patsubst %.strict,%.o,$(shell find $(B) -name '*.strict' 2>/dev/null)),$(OBJECTS)): FORCE
endif
LIBRARY := $(filter-out $(B)/src/main.o,$(OBJECTS))

# What runs once a call is compiled for size: the binary stays below 4 MiB. What reads a machine is for speed.
ifneq ($(filter -O2,$(CFLAGS)),)
SMALL := cmd/% src/command/% src/fleet/% src/check/% src/explain/% src/consumer/% src/view/% src/selftest/peer/% src/selftest/diagnosis/% src/selftest/path% src/selftest/test_run% \
	src/selftest/classes% src/selftest/verification% src/source/state% src/source/root/install% src/base/say% src/base/ini% \
	src/source/anonymise/% src/source/files/% src/source/lldp/% src/source/monitor% src/source/netlink/% src/source/recording/% src/source/tracing% \
	src/source/verbs/% src/neighbor/% src/history/% src/trace/% src/model/%
$(filter $(addprefix $(B)/,$(SMALL) knowledge.o),$(OBJECTS)): private ALL_CFLAGS += -Oz
endif

.DEFAULT_GOAL := all
.PHONY: all deps run test check install uninstall clean bench fuzz help format FORCE
all: $(ROCE)

$(ROCE): $(OBJECTS) $(if $(SMALL_LINK),src/unwinding.ld)
	@echo "  LINK    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LINK) $(PIE) $(HARDENED_LINK) $(SMALL_LINK) $(STRICT_LINK) -Wl,--gc-sections $(if $(LINK),-Wl$(comma)-Map=$(B)/roce.map) -o $@.new $(OBJECTS) $(LIBS)
	$(if $(STRIP),$(Q)cp $@.new $(B)/roce.debug && $(STRIP) $@.new)
	$(Q)mv $@.new $@

$(B)/%.o: %.c $(B)/flags $(addsuffix /.origin,$(DEPS)) | $(B)/knowledge.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(compile)

$(B)/version.o $(B)/knowledge.o: %.o: %.c $(B)/flags $(addsuffix /.origin,$(DEPS))
	$(compile)

define compile
$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(STRICT_CFLAGS) -MMD -MP -c -o $@ $<
$(Q)$(if $(STRICT),touch,rm -f) $(@:.o=.strict)
endef

# zopfli packs a twentieth better than gzip -9, of the same format. Of $(B)/NAME an array NAME_packed.
PACK := $(if $(shell command -v zopfli),zopfli -c,gzip -9nc)
packed = echo "const unsigned char $(1)_packed[] = {"; $(PACK) $(B)/$(1) | od -An -v -tx1 | sed 's/ \(..\)/0x\1,/g'; \
  echo '};'; echo "const size_t $(1)_packed_size = sizeof($(1)_packed);"

# Terminal descriptions from infocmp(1), which ncurses-base and ncurses-term supply; those it doesn't know are left out. As hexadecimal digits they pack best.
$(B)/terminals.o: $(B)/terminals.c $(B)/flags
	$(compile)
$(B)/terminals.c: Makefile
	@mkdir -p $(@D)
	$(Q)for t in $(TERMINALS); do \
	    entry=$$(env -u TERMINFO infocmp -q -Q 1 $$t 2>/dev/null | tr -d ' \n') || continue; \
	    echo "$$t $$entry"; \
	  done >$(B)/terminals
	$(Q){ echo '#include "view/screen.h"'; $(call packed,terminals); } >$@.new
	$(Q)mv $@.new $@

# What is known about messages, words and terms, from text that anybody can edit.
KNOWLEDGE := $(sort $(wildcard src/explain/*.txt)) src/check/checks.txt src/check/tables.txt src/command/commands.txt src/command/instead.txt src/fleet/rules.txt src/model/counters.txt \
             src/model/facts.txt src/model/kernel_log.txt src/model/known.txt src/model/lists.txt src/model/netdev_statistics.txt \
             src/source/netlink/attributes.txt src/source/tables.txt src/view/columns.txt src/view/devinfo.txt src/view/metrics/families.txt \
             src/view/metrics/node_exporter.txt src/view/tables.txt
KNOWLEDGE_HEADERS := $(B)/attribute_rows.h $(B)/lists.h $(B)/netlink_tables.h $(B)/seen_rows.h $(B)/tables.h
$(KNOWLEDGE_HEADERS): $(B)/knowledge.c
	@true
$(B)/knowledge.c: src/explain/embed.awk $(KNOWLEDGE) src/explain
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -v texts=$(B)/texts -v lines=$(B)/lines -v headers=$(B) -f $< $(KNOWLEDGE) >$@.new
	$(Q)for f in $(KNOWLEDGE_HEADERS); do cmp -s $$f.new $$f && rm $$f.new || mv $$f.new $$f; done
	$(Q){ $(call packed,texts); $(call packed,lines); } >>$@.new
	$(Q)mv $@.new $@

# Rewritten only when their contents change, so that a new file, flag or version rebuilds what it must and no more.
define write_if_changed
@mkdir -p $(@D); printf '%s\n' "$$CONTENT" | cmp -s - $@ || printf '%s\n' "$$CONTENT" >$@
endef
# without the directory, so that a copied tree isn't built again
$(B)/flags: export CONTENT = $(subst $(CURDIR),,$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) $(LINK))
$(B)/flags: FORCE
	$(write_if_changed)
# Where libibverbs.pc is, and the providers that it says are in the static program.
PC = $(if $(PC_PATH),$(if $(CROSS),PKG_CONFIG_LIBDIR,PKG_CONFIG_PATH)=$(PC_PATH)) pkg-config
PROVIDERS = $(if $(LINK),$(shell sed -n 's/^Libs.private: *//p' $$($(PC) --variable=pcfiledir libibverbs)/libibverbs.pc | tr ' ' '\n' | \
  sed -n 's/-rdmav.*//; s/^-l//p' | grep -vx ibverbs | sort))
# Which rdma-core is compiled against: libibverbs 1.14.65.0 is 65's.
$(B)/src/source/verbs/live.o: CPPFLAGS += -DRDMA_CORE=$(or $(word 3,$(subst ., ,$(shell $(PC) --modversion libibverbs 2>/dev/null))),0)
define VERSION_C
$(hash)include "base/version.h"
const char roce_version[] = "$(VERSION)";
const char roce_rdma_core[] = "$(if $(LINK),$(if $(DEPS),$(file <$(DEPS)/.origin),$(shell $(PC) --modversion libibverbs)))";
const char roce_providers[] = "$(PROVIDERS)";
endef
$(B)/version.c: export CONTENT = $(VERSION_C)
$(B)/version.c: FORCE $(addsuffix /.origin,$(DEPS))
	$(write_if_changed)
hash := \#
$(B)/src/view/html.o: src/view/comparison.css
$(B)/src/view/report_page.o: src/view/report.css
$(B)/src/source/anonymise/words.o: src/source/anonymise/words.txt
$(B)/src/view/top/paint.o: src/view/top/help.txt
$(B)/cmd/completion.o: completions/roce.bash completions/_roce completions/roce.fish

# -- dependencies ---------------------------------------------------------------------------------------------------------
QUICK_PACKAGES := clang-format jq
BUILD_PACKAGES := gcc make pkg-config libibverbs-dev librdmacm-dev libnl-3-dev libnl-route-3-dev libmnl-dev libjansson-dev libc-ares-dev libncurses-dev zlib1g-dev ncurses-bin ncurses-base ncurses-term git file zopfli
TEST_PACKAGES := $(QUICK_PACKAGES) ccache libcriterion-dev clang libclang-rt-dev shellcheck mandoc python3-jsonschema expect bash-completion zsh fish \
  infiniband-diags hwloc-nox pciutils ibverbs-utils ibverbs-providers rdma-core perftest rdmacm-utils iproute2 nftables ethtool strace
PACKAGES = $(sort $(BUILD_PACKAGES) $(TEST_PACKAGES) $(shell sed /^\\#/d tests/needs))
# The command that prints which packages of a list aren't installed; none without dpkg.
missing = ! command -v dpkg-query >/dev/null || dpkg-query -W -f '$${db:Status-Abbrev} $${Package}\n' $(1) 2>/dev/null | awk '$$1 == "ii" {print $$2}' | \
  sort -u | comm -13 - <(printf '%s\n' $(1) | sort -u)

deps: deps-packages ## install what building and testing need (Debian)
	@$(MAKE) --no-print-directory deps-libraries
deps-packages:
	@missing=$$($(call missing,$(PACKAGES))); \
	if [ -n "$$missing" ]; then \
	  echo "  DEPS    $$(echo $$missing)"; \
	  [ "$$(id -u)" = 0 ] || { echo "make deps needs root to install: $$(echo $$missing)" >&2; exit 1; }; \
	  export DEBIAN_FRONTEND=noninteractive; \
	  apt-get -qq -o DPkg::Lock::Timeout=300 update && \
	  apt-get -qq -y -o DPkg::Lock::Timeout=300 install --no-install-recommends $$missing >build/deps.log 2>&1 || { tail -n 20 build/deps.log >&2; exit 1; }; \
	fi
deps-libraries: $(addsuffix /.origin,$(DEPS))
deps-packages: | build
build:
	@mkdir -p build

build/deps/%/.origin: packaging/deps packaging/pins
	@echo "  FETCH   the libraries to link for $*"
	$(Q)packaging/deps $* build/deps/$*

# -- use ------------------------------------------------------------------------------------------------------------------
run: deps ## install dependencies, build, show this machine (or a recorded one)
	@$(MAKE) --no-print-directory all
	@tests/run-here $(ROCE)

PAGES := $(wildcard man/*.[1-8])
man_path = man$(subst .,,$(suffix $1))/$(notdir $1)# man1/roce.1
install: all ## install binary, manual, JSON schemas, completions and contrib below $(DESTDIR)$(PREFIX); LINKS=1: the drop-ins' names too
	install -D -m 755 $(ROCE) "$(DESTDIR)$(BINDIR)/roce"
	$(foreach page,$(PAGES),install -D -m 644 $(page) "$(DESTDIR)$(MANDIR)/$(call man_path,$(page))" &&) true
	man/schemas man/roce-json.5 "$(DESTDIR)$(SCHEMADIR)"
	install -D -m 644 completions/roce.bash "$(DESTDIR)$(BASHCOMPDIR)/roce"
	install -D -m 644 completions/_roce "$(DESTDIR)$(ZSHCOMPDIR)/_roce"
	install -D -m 644 completions/roce.fish "$(DESTDIR)$(FISHCOMPDIR)/roce.fish"
	for f in $$(find contrib -type f); do \
	  install -D -m $$([ -x $$f ] && echo 755 || echo 644) $$f "$(DESTDIR)$(DOCDIR)/$$f" || exit; done
	$(if $(LINKS),"$(DESTDIR)$(BINDIR)/roce" install-links "$(DESTDIR)$(BINDIR)")

uninstall: ## remove what install put there
	rm -f "$(DESTDIR)$(BINDIR)/roce" $(foreach page,$(PAGES),"$(DESTDIR)$(MANDIR)/$(call man_path,$(page))")
	rm -f "$(DESTDIR)$(SCHEMADIR)"/roce-*.schema.json
	rm -rf "$(DESTDIR)$(DOCDIR)/contrib"
	-rmdir "$(DESTDIR)$(DOCDIR)" 2>/dev/null
	-rmdir "$(DESTDIR)$(SCHEMADIR)" "$$(dirname "$(DESTDIR)$(SCHEMADIR)")" 2>/dev/null
	rm -f "$(DESTDIR)$(BASHCOMPDIR)/roce" "$(DESTDIR)$(ZSHCOMPDIR)/_roce" "$(DESTDIR)$(FISHCOMPDIR)/roce.fish"
	for n in $(subst _c,,$(basename $(notdir $(wildcard cmd/compat/*.c)))); do f="$(DESTDIR)$(BINDIR)/$$n"; \
	  [ "$$(readlink "$$f")" != roce ] || rm -f "$$f"; done

clean: ## remove what was built (what was fetched too: build/)
	rm -rf build

# -- tests ----------------------------------------------------------------------------------------------------------------
include tests/tests.mk

# -- packages -------------------------------------------------------------------------------------------------------------
include packaging/packaging.mk

format: ## format the source
	clang-format -i $$(git ls-files '*.c' '*.h')

help: ## this list
	@awk -F ' ## ' '/^[a-z-]+:.* ## / {split($$1, t, ":"); printf "  make %-12s %s\n", t[1], $$2}' $(MAKEFILE_LIST)
	@echo '  Variables: PREFIX DESTDIR BINDIR MANDIR CC CFLAGS LDFLAGS; DYNAMIC=1 links dynamically; STRICT=1 takes'
	@echo '  warnings for errors; V=1 shows commands'

FORCE:
-include $(OBJECTS:.o=.d)
