# SPDX-License-Identifier: MIT
# The tests' targets; the top Makefile includes this.

.PHONY: objects missing-for-test mutate
test: missing-for-test ## build and run the quick tests, for while you work; installs nothing
	@tests/check --quick

check: deps ## install dependencies, build, run every test (UPDATE=1 takes over new transcripts)
	@tests/check

check-%: ## run one suite, tests/NAME/run: check-unit, check-transcripts, …
	@tests/check $*

missing-for-test:
	@missing=$$($(call missing,$(BUILD_PACKAGES) $(QUICK_PACKAGES))); \
	[ -z "$(DEPS)" ] || [ -e "$(DEPS)/.origin" ] || missing="$$missing $(DEPS)"; \
	[ -z "$$missing" ] || { echo "not installed: $$(echo $$missing). \`make deps\` installs it." >&2; exit 1; }

objects: $(OBJECTS)

# The dynamic program, for the linking tests, built from the static one's objects where they are the same. The others aren't optimized, as that
# takes most of a build.
.PHONY: dynamic
dynamic: override as := $(MAKE) --no-print-directory DYNAMIC=1 CFLAGS='-O0 -g'
dynamic: $(if $(DYNAMIC),,all)
	+@mkdir -p build/dynamic && $(as) build/dynamic/flags
	@tests/install/same-objects build/static build/dynamic
	+@$(as) all

fuzz: ## fuzz every parser for FOR=60 seconds each, and let every allocation and system call fail
	@FOR=$(or $(FOR),60) tests/check fuzz faults

bench: all ## measure against bare loops and the original tools, as ratios
	@tests/bench/run

mutate: all build/static/unit ## break each judge in every way that a script can think of: some test must fail
	@tests/mutate/run

# Test programs use the shared C library, except those that run under emulation.
WITH_LIBS = $(if $(CROSS),$(LIBS),$(if $(LINK),-Wl$(comma)-Bstatic $(filter-out -lm,$(LIBS)) -Wl$(comma)-Bdynamic -lm,$(LIBS)))

# The unit tests, in each flavour. Sanitized, they use Criterion. Plain, and for another architecture, they use our own runner
# (tests/unit/forked): Criterion starts a process for each test, which takes most of the time, and none of them starts under qemu-user.
# UNITS="TOPIC…": only these test files (tests/mutate/run --trial).
FORKED := $(if $(SANITIZE),,yes)
UNIT_OBJECTS := $(patsubst %.c,$(B)/%.o,$(sort $(if $(UNITS),$(UNITS:%=tests/unit/%.c),$(wildcard tests/unit/*.c))) $(if $(FORKED),tests/unit/forked/runner.c))
link_unit = $(CC) $(ALL_CFLAGS) -no-pie -Wl,--export-dynamic-symbol='mbedtls_*' -o $@ $(UNIT_OBJECTS) $1 $(WITH_LIBS) $(if $(CROSS),-static) $(if $(FORKED),-lm,-lcriterion)
$(B)/unit: $(UNIT_OBJECTS) $(LIBRARY)
	@echo "  LINK    $@"
	$(Q)$(call link_unit,$(LIBRARY))
$(UNIT_OBJECTS): tests/tests.mk
$(UNIT_OBJECTS): private CPPFLAGS += -Wno-missing-prototypes $(if $(FORKED),-Itests/unit/forked)
# The tests' own code is only checked for memory errors: the rest takes two thirds of their compile time.
$(UNIT_OBJECTS): private ALL_CFLAGS += -O0 -g1 $(if $(SANITIZE),-fno-sanitize=undefined$(comma)fuzzer-no-link)
$(UNIT_OBJECTS): private STRICT_CFLAGS := $(filter-out -fanalyzer,$(STRICT_CFLAGS))

# roce with faults (tests/faults): the plain objects, wrapped in an allocator and a filter of system calls. Libraries are shared, as the allocator
# replaces glibc's.
$(B)/faults: $(B)/tests/faults/faults.o $(OBJECTS)
	@echo "  LINK    $@"
	$(Q)$(CC) $(ALL_CFLAGS) -Wl,--wrap=main,--wrap=regcomp -o $@ $< $(OBJECTS) $(WITH_LIBS)
$(B)/tests/faults/faults.o: private CPPFLAGS += -Wno-missing-prototypes
$(B)/tests/faults/faults.o: private STRICT_CFLAGS := $(filter-out -fanalyzer,$(STRICT_CFLAGS))

# roce, for many commands in one process (tests/transcripts).
$(B)/in-turn: $(B)/tests/transcripts/in_turn.o $(OBJECTS)
	@echo "  LINK    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(PIE) -Wl,--gc-sections -Wl,--wrap=main $(if $(CROSS),-static) -o $@ $< $(OBJECTS) $(WITH_LIBS)
$(B)/tests/transcripts/in_turn.o: private CPPFLAGS += -Wno-missing-prototypes

# The unit tests and roce, with mutants of the checks (tests/mutate/run wrote their sources).
MUTANTS := $(patsubst build/mutate/%.c,build/mutate/%.o,$(wildcard build/mutate/src/check/*.c)) build/mutate/tests/mutate/mutant.o
UNTOUCHED = $(filter-out $(patsubst build/mutate/%,$(B)/%,$(MUTANTS)),$(LIBRARY))
build/mutate/%.o: build/mutate/%.c
	$(Q)$(CC) $(CPPFLAGS) -include tests/mutate/mutant.h $(ALL_CFLAGS) -O0 -g0 -w -c -o $@ $<
build/mutate/tests/mutate/mutant.o: tests/mutate/mutant.c tests/mutate/mutant.h
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<
build/mutate/unit: $(MUTANTS) $(UNIT_OBJECTS) $(LIBRARY)
	$(Q)$(call link_unit,$(MUTANTS) $(UNTOUCHED))
build/mutate/roce: $(MUTANTS) $(OBJECTS)
	$(Q)$(CC) $(ALL_CFLAGS) $(LINK) -o $@ $(B)/src/main.o $(MUTANTS) $(UNTOUCHED) $(LIBS)

# The fuzzers, with SANITIZE=1: from the sanitized objects, except main's.
FUZZ_OBJECTS := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/fuzz/*.c)))
PARSERS_OBJECTS := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/fuzz/parsers/*.c)))
PARSERS := $(patsubst %,$(B)/fuzz/%,$(shell sed -n 's/^TARGET(\(.*\))$$/\1/p' tests/fuzz/parsers/*.c))
.PHONY: fuzzers
fuzzers: $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(sort $(wildcard tests/fuzz/*.c))) $(PARSERS)
.SECONDARY: $(FUZZ_OBJECTS)
$(B)/libroce.a: $(LIBRARY)
	$(Q)rm -f $@ && ar rcs $@ $^
$(patsubst $(B)/tests/fuzz/%.o,$(B)/fuzz/%,$(FUZZ_OBJECTS)): $(B)/fuzz/%: $(B)/tests/fuzz/%.o
$(patsubst $(B)/tests/fuzz/%.o,$(B)/fuzz/%,$(FUZZ_OBJECTS)) $(B)/fuzz/parsers: $(B)/libroce.a
	@mkdir -p $(@D)
	@echo "  LINK    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(PIE) -Wl,--gc-sections -fsanitize=fuzzer $(addprefix -Wl$(comma)--wrap=,$(WRAPS)) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)
# The parser fuzzers are one program with many names.
$(B)/fuzz/parsers: $(PARSERS_OBJECTS)
$(PARSERS): $(B)/fuzz/parsers
	$(Q)ln -f $< $@
# The functions that a fuzzer wraps.
$(B)/fuzz/commands: WRAPS = open openat syscall mkdirat symlinkat exit
$(B)/fuzz/session: WRAPS = proof_begin proof_by_tcp proof_check random_bytes getpeername getsockname responder_serve cm_accept
$(B)/fuzz/client: WRAPS = connection_open getsockname probe_receive
# A fake device, in place of libibverbs.
FAKE_VERBS := $(B)/tests/fuzz/verbs/fake.o
$(B)/fuzz/session $(B)/fuzz/client: $(FAKE_VERBS)
$(FAKE_VERBS): private CPPFLAGS += -Wno-missing-prototypes

# What findings must not change by (tests/metamorphic).
METAMORPHIC_OBJECTS := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/metamorphic/*.c)))
$(B)/metamorphic: $(METAMORPHIC_OBJECTS) $(LIBRARY)
	@echo "  LINK    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(PIE) -Wl,--gc-sections $(if $(CROSS),-static) -o $@ $^ $(WITH_LIBS)

-include $(FUZZ_OBJECTS:.o=.d) $(PARSERS_OBJECTS:.o=.d) $(UNIT_OBJECTS:.o=.d) $(METAMORPHIC_OBJECTS:.o=.d)

include tests/vm/vm.mk
