# The tests' targets; the top Makefile includes this.

.PHONY: objects
check: deps ## install dependencies, build, run every test (UPDATE=1 takes over new transcripts)
	@$(MAKE) --no-print-directory all
	@tests/check

check-%: ## run one suite, tests/NAME/run: check-unit, check-transcripts, …
	@tests/check $*

objects: $(OBJECTS)

fuzz: ## fuzz every parser for FOR=60 seconds each
	@FOR=$(or $(FOR),60) tests/check fuzz

bench: all ## measure against bare loops and the original tools, as ratios
	@tests/bench/run

UNIT_OBJECTS := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/unit/*.c)))
$(B)/unit: $(UNIT_OBJECTS) $(LIBRARY)
	@echo "  LINK    $@"
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS) -lcriterion
$(UNIT_OBJECTS): CPPFLAGS += -Wno-missing-prototypes

# libFuzzer comes with clang; a fuzzer and all it fuzzes are compiled by it.
FUZZ_FLAGS := -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -D_GNU_SOURCE -Isrc -Wno-everything
build/fuzz/%: tests/fuzz/%.c build/fuzz/libroce.a
	@echo "  FUZZ    $@"
	$(Q)clang $(FUZZ_FLAGS) -o $@ $^ -lrdmacm -libverbs -lmnl -ljansson
FUZZ_OBJECTS := $(patsubst %.c,build/fuzz/obj/%.o,$(filter-out src/main.c src/base/noresolver.c src/command/% src/view/%,$(shell find src -name '*.c')))
build/fuzz/libroce.a: $(FUZZ_OBJECTS)
	$(Q)rm -f $@ && ar rcs $@ $^
build/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(Q)clang $(subst fuzzer$(comma),fuzzer-no-link$(comma),$(FUZZ_FLAGS)) -MMD -MP -c -o $@ $<
-include $(FUZZ_OBJECTS:.o=.d) $(UNIT_OBJECTS:.o=.d)

include tests/vm/vm.mk
