# stordx. GNU make; `make help` lists the targets, ARCHITECTURE.md explains the parts.
#
# Sources, rules, signatures and tests are found by wildcard: a new file of any of these needs no edit here.

CC          ?= cc
# The compiler of the tools that run during the build.
HOSTCC      ?= $(CC)
PKG_CONFIG  ?= pkg-config
BUILD       ?= build
PREFIX      ?= /usr/local
DESTDIR     ?=
# Sanitizers of the second variant; empty: build and test only the plain one.
SANITIZE    ?= address,undefined
# Empty: warnings do not stop the build (packagers with a newer compiler).
WERROR      ?= -Werror
OPT         ?= -O2 -g
# What `make demo` analyses.
BUNDLE      ?= $(firstword $(wildcard fixtures/microserver-write-cache/bundle-before fixtures/*/bundle*))
FUZZ_SECONDS ?= 60

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-print-directory --no-builtin-rules

# ---------------------------------------------------------------- what there is

SOURCES   := $(filter-out analyze/tools/%,$(wildcard analyze/*.c analyze/*/*.c reports/*.c))
HEADERS   := $(wildcard analyze/*.h analyze/*/*.h analyze/*/*.def reports/*.h tests/unit/*.h tests/fuzz/*.h tests/bench/*.h \
                        tests/conformance/*.h tests/rank/*.h)
EMBEDDED  := $(sort $(wildcard rules/signatures/*.json rules/models/*.json analyze/facts/schema.sql reports/report.css))
# ID.LANG.md is the translation of ID.md, phrases.LANG.md translates what pages' SQL writes.
TRANSLATIONS := $(sort $(wildcard rules/*.??.md rules/*/*.??.md rules/*/*/*.??.md))
CATALOGUES := $(sort $(wildcard po/*.po))
PAGES     := $(filter-out $(TRANSLATIONS),$(sort $(wildcard rules/*.md rules/*/*.md rules/*/*/*.md)))
UNITS     := $(sort $(wildcard tests/unit/test_*.c))
# What the units share: every other C file beside them is linked to each.
UNIT_HELP := $(filter-out $(UNITS),$(wildcard tests/unit/*.c))
# Programs over the corpus of real outputs; every other C file beside them is linked to each.
CONFORM   := $(wildcard tests/conformance/table.c tests/conformance/pairs.c)
CONFORM_HELP := $(filter-out $(CONFORM),$(wildcard tests/conformance/*.c))
RANK      := $(wildcard tests/rank/*.c)
# A fuzzer for each parser of parsers.def, and each fuzz_NAME.c that is not for parsers; other C files are linked to all.
FUZZ_PARSERS := $(shell sed -n 's/^PARSER(\([a-z0-9_]*\))$$/\1/p' analyze/parse/parsers.def)
FUZZ_OTHERS  := $(filter-out parser,$(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_NAMES   := $(FUZZ_PARSERS) $(FUZZ_OTHERS)
FUZZ_HELP    := $(filter-out tests/fuzz/fuzz_%.c tests/fuzz/seeds.c tests/fuzz/replay.c,$(wildcard tests/fuzz/*.c))
REPLAY       := $(wildcard tests/fuzz/replay.c)
BENCHES   := $(wildcard tests/bench/*.c)
SQLFUNC   := $(wildcard analyze/facts/sqlfunc.c)
# stordx-facts.5 is made of its frame and of the comments of what it describes.
MAN1      := $(wildcard man/*.1)
MAN5      := $(wildcard man/*.5) $(BUILD)/man/stordx-facts.5
MAN_FACTS := man/facts.awk man/stordx-facts.5.in analyze/facts/schema.sql analyze/facts/metrics.def analyze/facts/keys.def

# Test scripts; a file named lib*.sh or common.sh is for others to source. These run against each variant of the program ...
scripts_in = $(sort $(filter-out %/common.sh,$(filter-out $(wildcard tests/*/lib*.sh),$(wildcard $(1:%=tests/%/*.sh)))))
SCRIPTS      := $(call scripts_in,cli golden glue conformance rules rank)
# ... and these once, as they start no compiled code of ours, or only the plain program.
ONCE_SCRIPTS := $(call scripts_in,checks bootstrap browser collect collector)

C_FILES      := $(SOURCES) $(wildcard analyze/tools/*.c tests/unit/*.c tests/fuzz/*.c tests/bench/*.c tests/conformance/*.c tests/rank/*.c tests/cli/*.c)
SHELL_FILES  := $(wildcard bootstrap .ci/run po/*.sh collect/stordx-collect collect/*.sh tests/*.sh tests/*/*.sh)

# ---------------------------------------------------------------- libraries

# Compiles the catalogues of po/; part of GNU gettext. xgettext and msgmerge are needed by `make po` only.
MSGFMT    ?= msgfmt
LIBRARIES := libarchive libpcre2-8 libcjson libxml-2.0 sqlite3 libcmark
# Goals that compile nothing work without any library.
ifneq ($(filter-out help clean uninstall check-format shellcheck,$(or $(MAKECMDGOALS),all)),)
ifeq ($(shell command -v $(firstword $(PKG_CONFIG))),)
$(error missing: $(PKG_CONFIG); run ./bootstrap $(firstword $(MAKECMDGOALS) all), which installs it)
endif
ifeq ($(shell command -v $(firstword $(MSGFMT))),)
$(error missing: $(MSGFMT) of GNU gettext, which compiles the translations; run ./bootstrap $(firstword $(MAKECMDGOALS) all), which installs it)
endif
ifneq ($(shell $(PKG_CONFIG) --exists $(LIBRARIES) && echo yes),yes)
MISSING := $(foreach lib,$(LIBRARIES),$(shell $(PKG_CONFIG) --exists $(lib) || echo $(lib)))
$(error missing (as pkg-config names them): $(MISSING); run ./bootstrap $(firstword $(MAKECMDGOALS) all), which installs them)
endif
# System headers, so that their warnings are not ours.
LIB_CFLAGS := $(patsubst -I%,-isystem%,$(shell $(PKG_CONFIG) --cflags $(LIBRARIES)))
LIB_LIBS   := $(shell $(PKG_CONFIG) --libs $(LIBRARIES))
ifeq ($(shell $(PKG_CONFIG) --exists libseccomp && echo yes),yes)
LIB_CFLAGS += -DHAVE_LIBSECCOMP=1 $(patsubst -I%,-isystem%,$(shell $(PKG_CONFIG) --cflags libseccomp))
LIB_LIBS   += $(shell $(PKG_CONFIG) --libs libseccomp)
endif
CMOCKA_CFLAGS = $(patsubst -I%,-isystem%,$(shell $(PKG_CONFIG) --cflags cmocka))
CMOCKA_LIBS   = $(shell $(PKG_CONFIG) --libs cmocka)
endif

# ---------------------------------------------------------------- flags

# gcc counts -Wsign-conversion into -Wconversion, clang does not: the same set for both.
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wvla -Wwrite-strings -Wformat=2 -Wundef $(WERROR)
DEFINES  := -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE
INCLUDES := -I. -Ianalyze
BASE     := -std=c17 $(WARNINGS) $(DEFINES) $(INCLUDES)
# Some distributions' compilers define _FORTIFY_SOURCE themselves, and redefining it is a warning.
HARDEN   := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong
UNAME    := $(shell uname -s)
ifneq ($(UNAME),Darwin)
RELRO    := -Wl,-z,relro -Wl,-z,now
NO_UNDEF := -Wl,-z,defs
endif

FLAGS_plain := $(OPT) $(HARDEN)
LINK_plain  := $(RELRO)
CC_plain     = $(CC)
FLAGS_san   := -O1 -g -fno-omit-frame-pointer -fsanitize=$(SANITIZE) -fno-sanitize-recover=all
LINK_san    := -fsanitize=$(SANITIZE)
CC_san       = $(CC)
FUZZ_CC     ?= clang
FLAGS_fuzz  := $(FLAGS_san) -fsanitize=fuzzer-no-link
LINK_fuzz   := $(LINK_san) -fsanitize=fuzzer
CC_fuzz      = $(FUZZ_CC)

# ---------------------------------------------------------------- building

PROGRAM     := $(BUILD)/stordx
SAN_PROGRAM := $(BUILD)/san/stordx
EXTENSION   := $(if $(SQLFUNC),$(BUILD)/stordx_sql.so)
GEN         := $(BUILD)/gen
EMBED       := $(GEN)/embed

## all: the program build/stordx with its rules built in, and the SQLite extension (default)
.PHONY: all
all: $(PROGRAM) $(EXTENSION) $(BUILD)/man/stordx-facts.5

$(BUILD)/man/stordx-facts.5: $(MAN_FACTS)
	@mkdir -p $(@D)
	@awk -f man/facts.awk -v schema=analyze/facts/schema.sql -v metrics=analyze/facts/metrics.def \
	    -v keys=analyze/facts/keys.def man/stordx-facts.5.in >$@

# A file whose text changes only when the text given to it does: what depends on it is rebuilt when a list of files or
# the flags change, which no timestamp shows.
define remember
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(1))' >$@
endef
.PHONY: FORCE
FORCE:

$(EMBED): analyze/tools/embed.c
	@mkdir -p $(@D)
	$(HOSTCC) -std=c17 $(WARNINGS) $(DEFINES) -O1 -o $@ $<

$(GEN)/embedded.list: FORCE
	$(call remember,$(EMBEDDED) $(CATALOGUES))

COMPILED := $(CATALOGUES:%.po=$(GEN)/%.mo)
# Little-endian everywhere, so that a build gives the same bytes on every machine.
$(COMPILED): $(GEN)/%.mo: %.po
	@mkdir -p $(@D)
	@echo "msgfmt $<"
	@$(MSGFMT) --check-format --endianness=little --no-hash -o $@ $<

$(GEN)/embedded.c: $(EMBED) $(GEN)/embedded.list $(EMBEDDED) $(COMPILED)
	@echo "embed $(words $(EMBEDDED) $(COMPILED)) files"
	@$(EMBED) $@ $(EMBEDDED) $(foreach po,$(CATALOGUES),$(po:.po=.mo)=$(GEN)/$(po:.po=.mo))

# Rule pages are parsed now, by the program's own parser: a broken page stops the build with file and line.
COMPILE_PAGES := $(GEN)/compile_pages
PAGE_SOURCES  := analyze/tools/compile_pages.c analyze/diagnose/page.c analyze/diagnose/demand.c analyze/facts/sqlfunc.c analyze/base/arena.c analyze/base/str.c analyze/base/error.c

$(COMPILE_PAGES): $(PAGE_SOURCES) analyze/diagnose/page.h analyze/diagnose/demand.h analyze/diagnose/builtin_pages.h analyze/facts/metrics.def $(wildcard analyze/base/*.h)
	@mkdir -p $(@D)
	@echo "cc host $@"
	@$(HOSTCC) -std=c17 $(WARNINGS) $(DEFINES) $(INCLUDES) $(patsubst -I%,-isystem%,$(shell $(PKG_CONFIG) --cflags libcmark sqlite3)) -O1 -o $@ $(PAGE_SOURCES) $(shell $(PKG_CONFIG) --libs libcmark sqlite3) -lm

$(GEN)/pages.list: FORCE
	$(call remember,$(PAGES) $(TRANSLATIONS))

$(GEN)/pages.c: $(COMPILE_PAGES) $(GEN)/pages.list analyze/facts/schema.sql $(PAGES) $(TRANSLATIONS)
	@echo "compile $(words $(PAGES)) rule pages and $(words $(TRANSLATIONS)) translations"
	@$(COMPILE_PAGES) $@ analyze/facts/schema.sql $(PAGES) $(TRANSLATIONS)

# One variant: $(1) is its name. Its objects lie under $(BUILD)/NAME, all but main's in a library that the program,
# the unit tests, the fuzzers and the benchmarks link.
define variant
OBJECTS_$(1) := $$(SOURCES:%.c=$$(BUILD)/$(1)/%.o) $$(BUILD)/$(1)/gen/embedded.o $$(BUILD)/$(1)/gen/pages.o
LIBRARY_$(1) := $$(BUILD)/$(1)/libstordx.a
UNITS_$(1)   := $$(UNITS:%.c=$$(BUILD)/$(1)/%)
HELP_$(1)    := $$(UNIT_HELP:%.c=$$(BUILD)/$(1)/%.o)
CONFORM_$(1) := $$(CONFORM:%.c=$$(BUILD)/$(1)/%)
CONFORM_HELP_$(1) := $$(CONFORM_HELP:%.c=$$(BUILD)/$(1)/%.o) $$(BUILD)/$(1)/tests/unit/tool_samples.o
REPLAY_$(1)  := $$(REPLAY:%.c=$$(BUILD)/$(1)/%)
RANK_$(1)    := $$(BUILD)/$(1)/tests/rank/rank
# The targets as functions, and the samples they are fed.
REPLAY_HELP_$(1) := $$(patsubst %.c,$$(BUILD)/$(1)/%.o,$$(wildcard tests/fuzz/fuzz_*.c) $$(FUZZ_HELP) tests/unit/tool_samples.c)
COMPILE_$(1)  = $$(CC_$(1)) $$(BASE) $$(FLAGS_$(1)) $$(LIB_CFLAGS) $$(CPPFLAGS) $$(CFLAGS)

$$(BUILD)/$(1)/flags: FORCE
	$$(call remember,$$(COMPILE_$(1)))

$$(BUILD)/$(1)/sources.list: FORCE
	$$(call remember,$$(SOURCES))

$$(BUILD)/$(1)/%.o: %.c $$(BUILD)/$(1)/flags
	@mkdir -p $$(@D)
	@echo "cc $(1) $$<"
	@$$(COMPILE_$(1)) $$(if $$(filter tests/unit/%,$$<),$$(CMOCKA_CFLAGS)) -MMD -MP -c -o $$@ $$<

$$(BUILD)/$(1)/gen/%.o: $$(GEN)/%.c $$(BUILD)/$(1)/flags
	@mkdir -p $$(@D)
	@echo "cc $(1) $$<"
	@$$(COMPILE_$(1)) -O0 -MMD -MP -c -o $$@ $$<

# Made anew each time: a source that was removed must not live on in it.
$$(LIBRARY_$(1)): $$(filter-out %/analyze/main.o,$$(OBJECTS_$(1))) $$(BUILD)/$(1)/sources.list
	@rm -f $$@
	@$$(AR) rcs $$@ $$(filter %.o,$$^)

$$(BUILD)/$(1)/stordx: $$(BUILD)/$(1)/analyze/main.o $$(LIBRARY_$(1))
	@echo "ld $(1) $$@"
	@$$(CC_$(1)) $$(LINK_$(1)) $$(LDFLAGS) -o $$@ $$^ $$(LIB_LIBS) -lm

$$(UNITS_$(1)): $$(BUILD)/$(1)/tests/unit/%: $$(BUILD)/$(1)/tests/unit/%.o $$(HELP_$(1)) $$(LIBRARY_$(1))
	@echo "ld $(1) $$@"
	@$$(CC_$(1)) $$(LINK_$(1)) $$(LDFLAGS) -o $$@ $$^ $$(CMOCKA_LIBS) $$(LIB_LIBS) -lm

$$(RANK_$(1)): $$(RANK:%.c=$$(BUILD)/$(1)/%.o) $$(BUILD)/$(1)/tests/unit/expect.o $$(LIBRARY_$(1))
	@echo "ld $(1) $$@"
	@$$(CC_$(1)) $$(LINK_$(1)) $$(LDFLAGS) -o $$@ $$^ $$(LIB_LIBS) -lm

$$(CONFORM_$(1)): $$(BUILD)/$(1)/tests/conformance/%: $$(BUILD)/$(1)/tests/conformance/%.o $$(CONFORM_HELP_$(1)) $$(LIBRARY_$(1))
	@echo "ld $(1) $$@"
	@$$(CC_$(1)) $$(LINK_$(1)) $$(LDFLAGS) -o $$@ $$^ $$(LIB_LIBS) -lm

$$(REPLAY_$(1)): $$(BUILD)/$(1)/tests/fuzz/%: $$(BUILD)/$(1)/tests/fuzz/%.o $$(REPLAY_HELP_$(1)) $$(LIBRARY_$(1))
	@echo "ld $(1) $$@"
	@$$(CC_$(1)) $$(LINK_$(1)) $$(LDFLAGS) -o $$@ $$^ $$(LIB_LIBS) -lm

-include $$(REPLAY_$(1):=.d) $$(REPLAY_HELP_$(1):.o=.d) $$(OBJECTS_$(1):.o=.d) $$(UNITS_$(1):=.d) $$(HELP_$(1):.o=.d) $$(CONFORM_$(1):=.d) $$(CONFORM_HELP_$(1):.o=.d) $$(RANK:%.c=$$(BUILD)/$(1)/%.d)
endef
$(eval $(call variant,plain))
$(eval $(call variant,san))
$(eval $(call variant,fuzz))
.SECONDARY:

# A copy, not a link: `build/stordx` alone can be carried to another machine.
$(PROGRAM): $(BUILD)/plain/stordx
	@cp -f $< $@

$(BUILD)/stordx_sql.so: $(SQLFUNC) $(BUILD)/plain/flags
	@echo "ld $@"
	@$(COMPILE_plain) -DSTORDX_SQLITE_EXTENSION -fPIC -shared $(NO_UNDEF) $(LDFLAGS) -MMD -MP -MF $(BUILD)/stordx_sql.d -o $@ $< -lm
-include $(BUILD)/stordx_sql.d

## lint-rules: check every built-in rule page, signature and model file; a broken one fails the build
.PHONY: lint-rules
lint-rules: $(GEN)/rules-linted

$(GEN)/rules-linted: $(PROGRAM)
	@$(PROGRAM) rules lint
	@touch $@

## po: collect the words of the reports into po/stordx.pot and bring the catalogues up to date; needs all of GNU gettext
.PHONY: po
po: $(PROGRAM)
	@sh po/update.sh $(PROGRAM)

# ---------------------------------------------------------------- testing

# The sanitizer variant is tested where the compiler has its runtime (gcc on musl has none).
sanitizer_works = $(if $(SANITIZE),$(shell mkdir -p $(BUILD) && echo 'int main(void) { return 0; }' | \
                  $(CC) -fsanitize=$(SANITIZE) -x c - -o $(BUILD)/sanitizer-probe 2>/dev/null && $(BUILD)/sanitizer-probe && echo yes))
# Two jobs unless the caller chose.
jobs = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j2)

## test: every test, against the plain and the sanitizer build (address,undefined); needs cmocka
.PHONY: test
test:
	@$(PKG_CONFIG) --exists cmocka || { echo 'missing: cmocka; run ./bootstrap test, which installs it' >&2; exit 1; }
	@$(if $(call sanitizer_works),$(MAKE) $(jobs) test-build-plain test-build-san, \
	    echo 'no sanitizer runtime for $(CC): that variant is skipped'; $(MAKE) $(jobs) test-build-plain)
	@LEAK_PROBE=$(BUILD)/sanitizer-probe sh tests/run-tests.sh \
	    --variant plain $(PROGRAM) $(UNITS_plain) $(REPLAY_plain) $(ONCE_SCRIPTS) $(SCRIPTS) \
	    $(if $(call sanitizer_works),--variant san $(SAN_PROGRAM) $(UNITS_san) $(REPLAY_san) $(SCRIPTS),--skip sanitizers)

.PHONY: test-build-plain test-build-san
test-build-plain: all $(UNITS_plain) $(CONFORM_plain) $(RANK_plain) $(REPLAY_plain)
test-build-san: $(SAN_PROGRAM) $(UNITS_san) $(CONFORM_san) $(RANK_san) $(REPLAY_san)

## sanitized: only build the sanitizer variant of the program, build/san/stordx
.PHONY: sanitized
sanitized: $(SAN_PROGRAM)

## unit: only the unit tests of the plain build (quick, while writing)
.PHONY: unit
unit: $(UNITS_plain)
	@sh tests/run-tests.sh --variant plain $(PROGRAM) $(UNITS_plain)

## conformance: read every file of the corpus ($STORDX_CORPUS, else ../shared/corpus) and print what became of it per tool
.PHONY: conformance conformance-full
conformance: all $(CONFORM_plain)
	@VARIANT=plain STORDX=$(abspath $(PROGRAM)) sh tests/conformance/run.sh

## conformance-full: the same, and every pair of outputs glued together, which takes an hour
conformance-full: all $(CONFORM_plain)
	@CONFORMANCE=full VARIANT=plain STORDX=$(abspath $(PROGRAM)) sh tests/conformance/run.sh

## rank: is the right part named first? Every labelled upload, whole and without each of its outputs; the figures of docs/accuracy.md
.PHONY: rank
rank: $(RANK_plain)
	@$(RANK_plain) --without --publish docs/accuracy.md

## golden: rewrite the recorded answers of the fixtures in tests/golden and show what changed; read the diff
.PHONY: golden
golden: $(PROGRAM) $(BUILD)/plain/tests/unit/test_golden
	@STORDX_UPDATE_GOLDEN=1 $(BUILD)/plain/tests/unit/test_golden
	@UPDATE=1 STORDX=$(PROGRAM) sh tests/golden/json.sh
	@git --no-pager diff --stat -- tests/golden

## fuzz: run each fuzzer for FUZZ_SECONDS (60), one after the other; fuzz-NAME: one of them, be it a parser; needs clang
.PHONY: fuzz $(FUZZ_NAMES:%=fuzz-%)
FUZZ_PROGRAMS  := $(FUZZ_NAMES:%=$(BUILD)/fuzz/fuzz_%)
FUZZ_SEEDS     := $(BUILD)/fuzz/seeds
FUZZ_HELP_OBJS := $(FUZZ_HELP:%.c=$(BUILD)/fuzz/%.o)
# Folders of real outputs and posts, which are not part of the project; their files are seeds where they are there.
FUZZ_TREES     := fixtures $(or $(STORDX_CORPUS),../shared/corpus) $(or $(STORDX_POSTS),../shared/posts)

$(FUZZ_PARSERS:%=$(BUILD)/fuzz/fuzz_%.o): $(BUILD)/fuzz/fuzz_%.o: tests/fuzz/fuzz_parser.c $(BUILD)/fuzz/flags
	@$(COMPILE_fuzz) -DFUZZ_PARSER=parser_$* -MMD -MP -c -o $@ $<
$(FUZZ_OTHERS:%=$(BUILD)/fuzz/fuzz_%.o): $(BUILD)/fuzz/fuzz_%.o: tests/fuzz/fuzz_%.c $(BUILD)/fuzz/flags
	@$(COMPILE_fuzz) -DFUZZ_ENTRY -MMD -MP -c -o $@ $<
$(FUZZ_PROGRAMS): %: %.o $(FUZZ_HELP_OBJS) $(LIBRARY_fuzz)
	@echo "ld fuzz $@"
	@$(CC_fuzz) $(LINK_fuzz) $(LDFLAGS) -o $@ $^ $(LIB_LIBS) -lm
-include $(FUZZ_PROGRAMS:=.d) $(FUZZ_HELP_OBJS:.o=.d)

$(BUILD)/plain/tests/fuzz/seeds: $(BUILD)/plain/tests/fuzz/seeds.o $(BUILD)/plain/tests/unit/tool_samples.o $(LIBRARY_plain)
	@$(CC_plain) $(LINK_plain) $(LDFLAGS) -o $@ $^ $(LIB_LIBS) -lm
-include $(BUILD)/plain/tests/fuzz/seeds.d
$(FUZZ_SEEDS).made: $(BUILD)/plain/tests/fuzz/seeds
	@$< $(FUZZ_SEEDS) $(FUZZ_TREES)
	@touch $@

# Words that a target looks for are those in quotes in its source.
$(FUZZ_NAMES:%=fuzz-%): fuzz-%: $(BUILD)/fuzz/fuzz_% $(FUZZ_SEEDS).made
	@mkdir -p $(BUILD)/fuzz/found/$* $(BUILD)/fuzz/crashes
	@LC_ALL=C grep -h -o '"[^"\\]\{2,40\}"' /dev/null $(wildcard analyze/*/$**.c) $$(grep -l 'const Parser parser_$* =' analyze/parse/*.c) | \
	    LC_ALL=C grep -x '[ -~]*' | sort -u >$<.dict || true
	@dict=; [ ! -s $<.dict ] || dict=-dict=$<.dict; \
	    ASAN_OPTIONS=detect_leaks=0 $< -max_total_time=$(FUZZ_SECONDS) -timeout=25 -rss_limit_mb=1024 -max_len=16384 -print_final_stats=1 \
	    $$dict -artifact_prefix=$(BUILD)/fuzz/crashes/$*- $(BUILD)/fuzz/found/$* $(FUZZ_SEEDS)/$*
fuzz: $(FUZZ_PROGRAMS) $(FUZZ_SEEDS).made
	@failed=; for f in $(FUZZ_NAMES); do echo "== $$f"; $(MAKE) fuzz-$$f || failed="$$failed $$f"; done; \
	    [ -z "$$failed" ] || { echo "found something:$$failed; the inputs are in $(BUILD)/fuzz/crashes" >&2; exit 1; }

## bench: time and memory of typical and of large bundles
.PHONY: bench
BENCH_PROGRAMS := $(BENCHES:%.c=$(BUILD)/plain/%)
$(BENCH_PROGRAMS): $(BUILD)/plain/%: $(BUILD)/plain/%.o $(LIBRARY_plain)
	@echo "ld plain $@"
	@$(CC_plain) $(LINK_plain) $(LDFLAGS) -o $@ $^ $(LIB_LIBS) -lm
-include $(BENCH_PROGRAMS:=.d)
bench: all $(BENCH_PROGRAMS)
	@set -e; for b in $(BENCH_PROGRAMS); do echo "== $$b"; STORDX=$(PROGRAM) $$b; done
	@set -e; for b in $(call scripts_in,bench); do echo "== $$b"; STORDX=$(PROGRAM) BUILD=$(BUILD) sh $$b; done

# ---------------------------------------------------------------- checking the text of the sources

CLANG_FORMAT ?= clang-format
CLANG_TIDY   ?= clang-tidy
SHELLCHECK   ?= shellcheck

## check-format: is every C file as clang-format would leave it?
.PHONY: check-format
check-format:
	@$(CLANG_FORMAT) --dry-run -Werror $(C_FILES) $(filter %.h,$(HEADERS)) && echo "format: $(words $(C_FILES) $(filter %.h,$(HEADERS))) files are clean"

## tidy: clang-tidy over every C file
.PHONY: tidy
TIDY := $(SOURCES:%=$(BUILD)/tidy/%.ok)
$(TIDY): $(BUILD)/tidy/%.ok: % $(HEADERS) .clang-tidy
	@mkdir -p $(@D)
	@echo "tidy $<"
	@$(CLANG_TIDY) --quiet $< -- $(BASE) $(LIB_CFLAGS) 2>$@.err || { cat $@.err >&2; exit 1; }
	@touch $@
tidy: $(TIDY)

## shellcheck: shellcheck over every script
.PHONY: shellcheck
shellcheck:
	@$(SHELLCHECK) $(SHELL_FILES) && echo "shellcheck: $(words $(SHELL_FILES)) files are clean"

## lint: check-format, tidy, shellcheck and lint-rules
.PHONY: lint
lint: check-format tidy shellcheck lint-rules

# ---------------------------------------------------------------- showing and installing

## demo: analyse a shipped bundle (BUNDLE=...) and leave report.html
.PHONY: demo
demo: all
	@test -n '$(BUNDLE)' || { echo 'no bundle in fixtures/' >&2; exit 1; }
	@$(PROGRAM) analyze $(BUNDLE) -o report.html; case $$? in 0|1|4) ;; *) exit 1 ;; esac
	@$(PROGRAM) analyze $(BUNDLE) --brief --exit-zero
	@echo; echo "The report of $(BUNDLE) is $(CURDIR)/report.html"

## install: program, collector, SQLite extension, man pages, completions and documentation below DESTDIR/PREFIX
.PHONY: install uninstall
BIN := $(DESTDIR)$(PREFIX)/bin
LIB := $(DESTDIR)$(PREFIX)/lib/stordx
DOC := $(DESTDIR)$(PREFIX)/share/doc/stordx
MAN_DIR := $(DESTDIR)$(PREFIX)/share/man
# Where bash-completion, zsh and fish look for what packages bring.
BASH_DIR := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_DIR  := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH_DIR := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
COLLECTOR := $(wildcard collect/stordx-collect)
DOCUMENTS := $(wildcard README.md LICENSE docs/report.schema.json)
install: all
	install -d "$(BIN)" "$(DOC)" "$(MAN_DIR)/man1" "$(MAN_DIR)/man5" "$(BASH_DIR)" "$(ZSH_DIR)" "$(FISH_DIR)"
	install -m 755 $(PROGRAM) "$(BIN)/stordx"
	$(if $(COLLECTOR),install -m 755 $(COLLECTOR) "$(BIN)/stordx-collect")
	$(if $(EXTENSION),install -d "$(LIB)" && install -m 755 $(EXTENSION) "$(LIB)/stordx_sql.so")
	$(if $(DOCUMENTS),install -m 644 $(DOCUMENTS) "$(DOC)")
	install -m 644 $(MAN1) "$(MAN_DIR)/man1"
	install -m 644 $(MAN5) "$(MAN_DIR)/man5"
	install -m 644 completions/stordx.bash "$(BASH_DIR)/stordx"
	ln -sf stordx "$(BASH_DIR)/stordx-collect"
	install -m 644 completions/_stordx "$(ZSH_DIR)/_stordx"
	install -m 644 completions/stordx.fish "$(FISH_DIR)/stordx.fish"
	ln -sf stordx.fish "$(FISH_DIR)/stordx-collect.fish"

## uninstall: remove what install wrote
uninstall:
	rm -f "$(BIN)/stordx" "$(BIN)/stordx-collect" "$(LIB)/stordx_sql.so" $(foreach file,$(notdir $(DOCUMENTS)),"$(DOC)/$(file)") \
	    $(foreach page,$(notdir $(MAN1)),"$(MAN_DIR)/man1/$(page)") $(foreach page,$(notdir $(MAN5)),"$(MAN_DIR)/man5/$(page)") \
	    "$(BASH_DIR)/stordx" "$(BASH_DIR)/stordx-collect" "$(ZSH_DIR)/_stordx" \
	    "$(FISH_DIR)/stordx.fish" "$(FISH_DIR)/stordx-collect.fish"
	@rmdir "$(LIB)" "$(DOC)" 2>/dev/null || true

## clean: remove everything that was built
.PHONY: clean
clean:
	rm -rf $(BUILD) report.html

## help: this list
.PHONY: help
help:
	@echo 'usage: make [TARGET] [CC=cc] [BUILD=build] [PREFIX=/usr/local] [DESTDIR=] [SANITIZE=address,undefined] [WERROR=]'
	@sed -n 's/^## \([a-z-]*\): \(.*\)/  \1\t\2/p' Makefile | expand -t 18
