# Start with `make demo`, then `make test`.

# Make divides names at spaces.
ifneq ($(words $(CURDIR)),1)
$(error the path "$(CURDIR)" contains a space; move the checkout to a path without spaces)
endif

SWIFT ?= swift
PREFIX ?= /usr/local
CONCORD = .build/release/concord
# The command is a separate package.
COMMAND = --package-path Command
# The server is also a separate package, so that users of the library do not fetch Hummingbird.
SERVER = --package-path Server
# Libraries are not searched in the folder of the program, which would take 20 system calls at each start.
RELEASE = -c release $(COMMAND) --scratch-path .build --disable-local-rpath $(PLAN)
# `make test` builds the three packages in one scratch folder, so that the library is compiled once. SwiftPM stores a
# build plan in the folder and does not detect that the plan belongs to another package, so each build is planned again.
PLAN = --disable-build-manifest-caching
TESTS = .build/tests

# The Debian and Ubuntu packages of the required C libraries and tools.
PACKAGES = libsqlite3-dev libicu-dev libpcre2-dev libstemmer-dev libsimdjson-dev libxml2-dev libssl-dev libcrypt-dev zlib1g-dev liblzma-dev \
  libarchive-dev libbz2-dev libzstd-dev liblz4-dev nettle-dev libacl1-dev libpoppler-glib8 libcld2-0 python3 git
# Read the metadata of pictures and audio files; their names differ between distributions.
MEDIA = libgexiv2-2 libtagc0
# `make test` compares results with Python's parsers, its SQLite, and ripgrep, traces system calls with strace, and runs the
# examples of the server with curl and jq. `make docs` runs all examples, some of which use sqlite3.
CHECKERS = python3-venv ripgrep strace curl jq sqlite3 postgresql libpq5
# `make test` tests the page of the server in Chromium, if it can be installed.
BROWSER = chromium chromium-driver
# Programs for comparison: ripgrep and codesearch for concord grep; Tantivy is installed as a Python package.
PEERS = ripgrep codesearch python3-venv
# The translated manual pages of Benchmarks/languages.py; manpages-zh contains zh_CN and zh_TW.
MANUALS = manpages-cs manpages-da manpages-de manpages-el manpages-es manpages-fi manpages-fr manpages-hu manpages-id manpages-it \
  manpages-ja manpages-mk manpages-nb manpages-nl manpages-pl manpages-pt-br manpages-ro manpages-ru manpages-sr manpages-sv \
  manpages-tr manpages-uk manpages-vi manpages-zh
SUDO = $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: help setup libraries compiler build demo test test-server test-samples test-served test-cluster test-page test-api test-thread test-address fuzz lint docs site bench bench-relevance bench-languages bench-defaults bench-server bench-postgres bench-clusters bench-growth lucene peers check-grep install copy man corpus-linux clean

help:
	@echo "make demo          install missing packages, build, index Corpora/ and search it"
	@echo "make test          install missing packages, then run all tests"
	@echo "make test-cluster  install PostgreSQL, and test databases on a server in a temporary folder"
	@echo "make test-page     test the page of concord serve in Chromium; screenshots are written to .build/screenshots"
	@echo "make test-api      test the server against its OpenAPI document with schemathesis"
	@echo "make test-thread   run the tests of threads and locks with the thread sanitizer"
	@echo "make test-address  run the tests of threads and pointers with the address sanitizer"
	@echo "make build         build the release version: $(CONCORD)"
	@echo "make fuzz          test with random input for TIME=60 seconds; SEED=n and TARGET=sql,search,... select the input"
	@echo "make lint          check formatting"
	@echo "make docs          run the examples of the documents and compare their output"
	@echo "make site          build the reference of the library: .build/site; BASE=/path if it is not hosted at the root"
	@echo "make bench         compare with SQLite, Tantivy, ripgrep and codesearch, and write docs/benchmarks.md"
	@echo "make bench-relevance  compare the relevance with Lucene's"
	@echo "make bench-languages  measure searches in the languages of manual pages, compared with Lucene's analyzers"
	@echo "make bench-defaults   cross-validate the defaults of searches over all collections; writes docs/relevance-defaults.md"
	@echo "make bench-server     measure concord serve with wrk; SOAK=600 for ten minutes of searches and changes"
	@echo "make bench-postgres   compare a database on PostgreSQL with a file, and patterns with pg_trgm"
	@echo "make bench-clusters   measure 10,000,000 documents on three PostgreSQL servers; needs 60 GB and more than an hour"
	@echo "make bench-growth     measure 100,000, 1,000,000 and 10,000,000 documents; needs 35 GB and about half an hour"
	@echo "make check-grep    compare concord grep with ripgrep: DATABASE=linux.concord TREE=.corpora/linux"
	@echo "make install       install concord, its man page, a systemd user unit and shell completions under $(PREFIX)"
	@echo "make corpus-linux  unpack the Linux source (package of Debian 12) into .corpora/linux for larger searches"

# Installs missing packages. Since Debian 13 and Ubuntu 24.04, the names of some libraries end with t64.
define install-packages
missing=""; for package in $(1); do \
  dpkg-query -W -f='$${Status}\n' $$package $${package}t64 2>/dev/null | grep -q '^install ok installed' \
    || missing="$$missing $$package"; \
done; \
if [ -n "$$missing" ]; then \
  echo "installing$$missing"; \
  $(SUDO) apt-get update -qq && \
  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; \
fi
endef

setup: libraries
	@$(call install-packages,$(CHECKERS))
	@($(call install-packages,$(MEDIA))) || echo "not all of $(MEDIA) could be installed"
	@($(call install-packages,$(BROWSER))) || echo "not all of $(BROWSER) could be installed"

# What a build needs.
libraries:
	@$(call install-packages,$(PACKAGES))
	@command -v $(SWIFT) >/dev/null || { echo "Swift 6.1 or later is required: https://www.swift.org/install"; exit 1; }

# Links the Swift and C libraries statically if the toolchain and Debian provide static libraries: the program starts in
# half the time, and runs on systems without these libraries.
STATIC = $(shell path=$$($(SWIFT) -print-target-info -static-stdlib 2>/dev/null \
  | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p'); \
  test -n "$$path" -a -f "$$path/linux/libFoundation.a" -o -f "$$path/linux/libFoundationEssentials.a" && echo --static-swift-stdlib) \
  $(shell SWIFT="$(SWIFT)" Scripts/static-libraries.sh .build/static)
# A program with a fixed address avoids the 180,000 relocations that a position-independent program applies when it
# starts. Libraries, stack and heap keep their random addresses.
FIXED_ADDRESS = -Xlinker --no-pie
# Without the table of exported symbols, the linker also removes public functions that nothing calls.
NO_EXPORTS = -Xlinker --no-export-dynamic

# Generic types such as [String: Int] are requested with their arguments. By default, the compiler requests them by name, and
# the first request of each name searches all protocol conformances of the program.
DIRECT_TYPES_FLAG = -disable-concrete-type-metadata-mangled-name-accessors
DIRECT_TYPES = $(shell $(SWIFT)c -frontend -help-hidden 2>/dev/null | grep -q -e '$(DIRECT_TYPES_FLAG)' \
  && echo -Xswiftc -Xfrontend -Xswiftc $(DIRECT_TYPES_FLAG))

build: libraries
	$(SWIFT) build $(RELEASE) --product concord $(STATIC) $(FIXED_ADDRESS) $(NO_EXPORTS) $(DIRECT_TYPES)

demo: build
	@Scripts/demo.sh $(CONCORD)

# A build without debug information takes three quarters of the time; `make test BUILD_FLAGS=-g` includes it.
# `--disable-index-store` would be faster, but SwiftPM finds the tests in the symbol index.
QUICK = -debug-info-format none
BUILD_FLAGS = $(QUICK)
TEST_FLAGS = --scratch-path $(TESTS) $(PLAN) $(BUILD_FLAGS)
# The compiler of all builds in that folder, because SwiftPM compiles everything again after another one. SwiftPM finds the
# library that reads the symbol index in the folder lib next to the compiler's folder.
COMPILER = $(CURDIR)/.build/compiler
test test-server test-cluster site: export SWIFT_EXEC = $(COMPILER)/bin/swiftc

compiler:
	@mkdir -p $(COMPILER)/bin
	@ln -sfn "$$(dirname "$$($(SWIFT) -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')")" $(COMPILER)/lib
	@cmp -s Scripts/swiftc.sh $(COMPILER)/bin/swiftc || install Scripts/swiftc.sh $(COMPILER)/bin/swiftc

test: setup compiler
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	Scripts/run-tests.sh $(SWIFT) test --skip-build $(TEST_FLAGS)
	$(SWIFT) build $(COMMAND) --build-tests $(TEST_FLAGS)
	Scripts/run-tests.sh $(SWIFT) test $(COMMAND) --skip-build $(TEST_FLAGS)
	@$(MAKE) --no-print-directory -j 3 --output-sync=target test-server test-samples test-served

# These three parts of `make test` run at the same time, because the last mostly waits for the browser.
test-server: compiler
	$(SWIFT) build $(SERVER) --build-tests $(TEST_FLAGS)
	Scripts/run-tests.sh $(SWIFT) test $(SERVER) --skip-build $(TEST_FLAGS)

test-samples:
	CONCORD_BUILD=$(TESTS)/debug python3 Scripts/fuzz --sample

test-served:
	CONCORD=$(TESTS)/debug/concord Scripts/console.py Corpora/handbook/server.md
	@if command -v chromedriver >/dev/null; then $(MAKE) --no-print-directory test-page CONCORD=$(TESTS)/debug/concord; \
	  else echo "the page is not tested: chromium-driver is not installed"; test -z "$$CI"; fi

# Tests databases on PostgreSQL, on a server in a temporary folder. `make test` contains these tests as well.
test-cluster: compiler
	@$(call install-packages,postgresql libpq5)
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	Scripts/run-tests.sh $(SWIFT) test --skip-build $(TEST_FLAGS) --filter 'PostgresAccessTests|PostgresStoreTests'
	CONCORDANCE_TEST_STORE=postgresql Scripts/run-tests.sh $(SWIFT) test --skip-build $(TEST_FLAGS) --filter '^ConcordanceTests'
	$(SWIFT) build $(COMMAND) --build-tests $(TEST_FLAGS)
	Scripts/run-tests.sh $(SWIFT) test $(COMMAND) --skip-build $(TEST_FLAGS) --filter 'PostgreSQL(Message)?Tests'

# Tests the page in a browser. The Python packages are installed into .build/python.
test-page:
	@$(call install-packages,$(BROWSER) python3-venv)
	@test -x $(CONCORD) || $(MAKE) --no-print-directory build
	@.build/python/bin/python -c 'import selenium' 2>/dev/null \
	  || (python3 -m venv .build/python && .build/python/bin/pip install --quiet selenium)
	.build/python/bin/python Scripts/page/test_page.py $(CONCORD)

# Sends requests that are generated from /openapi.json.
test-api:
	@$(call install-packages,python3-venv)
	@test -x $(CONCORD) || $(MAKE) --no-print-directory build
	@.build/python/bin/python -c 'import schemathesis' 2>/dev/null \
	  || (python3 -m venv .build/python && .build/python/bin/pip install --quiet schemathesis)
	Scripts/test-api.sh $(CONCORD)

# Each sanitizer requires a complete build in a separate folder. With CONCORDANCE_SANITIZER, the manifest includes only
# the tests that use threads or pointers. SUITES is a regular expression that selects some of these tests.
SANITIZED = CONCORDANCE_SANITIZER=1 $(SWIFT)

# `Mutex` needs a library that reports it to the sanitizer; see Scripts/sanitizers/mutex.c.
test-thread: SUITES = DocumentStoreTests|JSONTextTests|ConcordanceTests
test-thread: setup
	$(SANITIZED) build --sanitize thread --scratch-path .build/thread --build-tests $(QUICK)
	clang -Wall -shared -fPIC -O1 Scripts/sanitizers/mutex.c -o .build/thread/mutex.so
	LD_PRELOAD=$(CURDIR)/.build/thread/mutex.so \
	  TSAN_OPTIONS="exitcode=66 suppressions=$(CURDIR)/Scripts/sanitizers/thread.supp" \
	  $(SANITIZED) test --sanitize thread --scratch-path .build/thread $(QUICK) --skip-build --no-parallel --filter '$(SUITES)'

# Of the tests of databases on PostgreSQL, those of formats and segments in memory contain the code with pointers; the others
# would take longer than all the rest.
IN_MEMORY = DocumentCache|PatternSegmentBuilder|SharedLists|TrigramList|DictionaryPage|DocumentLengthRows|Format|LengthRuns|Segment
test-address: SUITES = ^(?!PostgresStoreTests\.)|^PostgresStoreTests\.($(IN_MEMORY))
test-address: setup
	$(SANITIZED) build --sanitize address --scratch-path .build/address --build-tests $(QUICK)
	Scripts/sanitizers/address.sh .build/address/debug/ConcordancePackageTests.xctest '$(SUITES)'

# Faults are stored in .build/fuzz, each with the command that replays it. CONTRIBUTING.md describes the targets.
fuzz: TIME = 60
fuzz: TARGET = all
fuzz: setup
	$(SWIFT) build $(COMMAND) --product concord
	$(SWIFT) build $(COMMAND) --product concord-fuzz
	python3 Scripts/fuzz --time $(TIME) --target $(TARGET) $(if $(SEED),--seed $(SEED))

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Command/Package.swift Command/Sources \
	  Command/Tests Server/Package.swift Server/Sources Server/Tests Benchmarks/Package.swift Benchmarks/Sources

docs: build
	@$(call install-packages,$(CHECKERS))
	@Scripts/console.py README.md Corpora/handbook/*.md

# Builds a web site from the doc comments and Sources/Concordance/Concordance.docc. Fails if a link to a symbol does not
# resolve. CI runs it after the tests, because it uses their build. BASE is the path that the site is hosted at.
site: compiler
	$(SWIFT) build --target Concordance $(TEST_FLAGS)
	BASE=$(BASE) python3 Scripts/site.py $(TESTS)

bench: setup peers build
	@Benchmarks/run.sh
	@$(MAKE) --no-print-directory bench-relevance

# Test collections, which are not part of the repository: folders with documents.jsonl, queries.tsv and qrels.txt.
COLLECTIONS ?= $(wildcard ../shared/data/cranfield ../shared/data/npl)

bench-relevance: build lucene
	@[ -n "$(COLLECTIONS)" ] || { echo "no test collection; name folders in COLLECTIONS"; exit 0; }; \
	  python3 Benchmarks/effectiveness.py --program .build/release/concord $(COLLECTIONS)

# Known-item searches: in the languages of the translated manual pages that are installed, and in English documentation.
bench-languages: build lucene
	@($(call install-packages,$(MANUALS))) || echo "not all of $(MANUALS) could be installed"
	python3 Benchmarks/languages.py --program .build/release/concord
	python3 Benchmarks/known_items.py --program .build/release/concord

# Measures all values of k1, b, stop words, stemmers, the fall-back to some of the words, and feedback on all collections.
# `make corpus-linux` adds those from the Linux source. .build/defaults contains the collections and the measurements of
# this build, so that an interrupted run continues; remove it if the installed manual pages or the Linux source change.
bench-defaults: build
	python3 Benchmarks/defaults.py --program $(CONCORD) --keep .build/defaults $(COLLECTIONS)

# Lucene with Anserini and a Java runtime, from PyPI.
lucene:
	@$(call install-packages,python3-venv)
	@test -x .build/peers/bin/python || python3 -m venv .build/peers || echo "no Python environment could be created"
	@.build/peers/bin/python Benchmarks/lucene.py install || echo "Lucene could not be installed"

# The database has 1,000,000 documents, as in `make bench`.
bench-server: SOAK = 60
bench-server: build
	@$(call install-packages,wrk)
	@SOAK=$(SOAK) Benchmarks/run.sh server

bench-postgres: build
	@$(call install-packages,postgresql postgresql-contrib libpq5)
	@Benchmarks/run.sh postgres

bench-clusters: build
	@$(call install-packages,postgresql libpq5)
	@Benchmarks/run.sh clusters

bench-growth: build
	@Benchmarks/run.sh growth

# Installs the programs for comparison, if they are available.
peers: lucene
	@($(call install-packages,$(PEERS))) || echo "not all of $(PEERS) could be installed"
	@.build/peers/bin/python -c 'import tantivy' 2>/dev/null \
	  || .build/peers/bin/pip install --quiet tantivy || echo "tantivy could not be installed"

# `concord -d DATABASE index --no-ignore --hidden TREE` creates the database, with the same TREE.
check-grep: build peers
	@Scripts/check_grep.py $(DATABASE) $(TREE)

man: build
	@Scripts/man.sh

# Files that are made for PREFIX or written by the command are created here, so that only copying them needs permission.
STAGE = .build/install
# Succeeds if the user may write to PREFIX; the folder is created if it does not exist.
MAY_INSTALL = mkdir -p "$(DESTDIR)$(PREFIX)/bin" 2>/dev/null && test -w "$(DESTDIR)$(PREFIX)/bin"

install: build man
	@mkdir -p $(STAGE)
	sed 's|@PREFIX@|$(PREFIX)|' Scripts/concord-index.service.in > $(STAGE)/concord-index.service
	$(CONCORD) --generate-completion-script bash > $(STAGE)/concord
	$(CONCORD) --generate-completion-script zsh > $(STAGE)/_concord
	$(CONCORD) --generate-completion-script fish > $(STAGE)/concord.fish
	@if $(MAY_INSTALL); then $(MAKE) --no-print-directory copy SUDO=; else $(MAKE) --no-print-directory copy; fi

# The second half of `make install`.
copy:
	$(SUDO) install -D -s -m 755 $(CONCORD) $(DESTDIR)$(PREFIX)/bin/concord
	$(SUDO) install -D -m 644 .build/man/concord.1 $(DESTDIR)$(PREFIX)/share/man/man1/concord.1
	$(SUDO) install -D -m 644 $(STAGE)/concord-index.service $(DESTDIR)$(PREFIX)/share/systemd/user/concord-index.service
	$(SUDO) install -D -m 644 $(STAGE)/concord $(DESTDIR)$(PREFIX)/share/bash-completion/completions/concord
	$(SUDO) install -D -m 644 $(STAGE)/_concord $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_concord
	$(SUDO) install -D -m 644 $(STAGE)/concord.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/concord.fish

# Debian's package contains the source as one archive.
corpus-linux:
	@Scripts/corpus-linux.sh

clean:
	rm -rf .build Command/.build Server/.build Benchmarks/.build
