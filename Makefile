# Vigil. `make` or `make help` lists the targets. Every target installs what it needs from Debian by itself.
SHELL := /bin/sh
prefix ?= /usr/local
DESTDIR ?=
CONFIGURATION ?= release
SWIFT ?= swift
SWIFTFLAGS ?=
ARGS ?=
VIGIL = .build/$(CONFIGURATION)/vigil

unitdir = $(prefix)/lib/systemd/system
sysusersdir = $(prefix)/lib/sysusers.d
tmpfilesdir = $(prefix)/lib/tmpfiles.d
catalogdir = $(prefix)/lib/systemd/catalog
mandir = $(prefix)/share/man
bashdir = $(prefix)/share/bash-completion/completions
zshdir = $(prefix)/share/zsh/site-functions
fishdir = $(prefix)/share/fish/vendor_completions.d
# One place whatever the prefix is, so that a configuration can name it.
policydir = /usr/share/vigil/policies

BUILD_PACKAGES = libavformat-dev libavcodec-dev libavutil-dev libsqlite3-dev libsystemd-dev \
	pkg-config
TEST_PACKAGES = ffmpeg fonts-dejavu-core python3 python3-gi gir1.2-gst-rtsp-server-1.0 gir1.2-gst-plugins-base-1.0 \
	gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad glib-networking openssl systemd gcc \
	libc6-dev

.PHONY: help deps swift test-deps build run test lint check model explore mutants simulate bench install uninstall clean installable

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | \
	    while IFS='	' read -r name what; do printf '  make %-10s %s\n' "$$name" "$$what"; done
	@echo 'Variables: ARGS (for run, simulate and bench), DESTDIR and prefix=$(prefix) (for install), SWIFT, SWIFTFLAGS.'

deps: ## install the Debian packages needed to build and run
	@bench/packages $(BUILD_PACKAGES)

swift:
	@command -v $(SWIFT) >/dev/null || { echo 'make: no swift in PATH: install Swift 6.3 from swift.org' >&2; exit 1; }

test-deps: deps ## install what tests and benches need on top
	@bench/packages $(TEST_PACKAGES)

build: deps swift ## build what users get (the release build, which needs no Swift to run)
	$(SWIFT) build -c $(CONFIGURATION) --product vigil --static-swift-stdlib $(SWIFTFLAGS)

run: build ## record the built-in demo camera into ./vigil-demo (ARGS="--for 60s")
	@echo 'Recordings go to ./vigil-demo; Ctrl-C ends it. Meanwhile, in another terminal in this folder:'
	@echo '  $(VIGIL) state'
	@echo '  $(VIGIL) clips'
	@echo '  journalctl -f SYSLOG_IDENTIFIER=vigil'
	@exec $(VIGIL) run --demo --root ./vigil-demo --socket ./vigil-demo/vigil.sock $(ARGS)

test: test-deps swift ## build for debugging, warnings as errors, and run every test
	$(SWIFT) build --build-tests -Xswiftc -warnings-as-errors $(SWIFTFLAGS)
	$(SWIFT) test --skip-build -Xswiftc -warnings-as-errors $(SWIFTFLAGS) --skip DaemonTests
	@echo 'Live cameras run in real time, so they have the machine to themselves:'
	$(SWIFT) test --skip-build -Xswiftc -warnings-as-errors $(SWIFTFLAGS) --filter DaemonTests

lint: swift ## check the format of the Swift code, strictly
	$(SWIFT) format lint --strict --parallel --configuration .swift-format --recursive Package.swift Sources Tests model bench

check: ## check the tree for what does not belong into it
	@.ci/tidy

model: deps ## check the TLA+ models and regenerate their graphs (ARGS="--check" changes nothing)
	@bench/packages python3 python3-pip openjdk-17-jre-headless
	/usr/bin/python3 model/run $(ARGS)

explore: deps swift ## walk through every state of every machine in Swift, the whole camera too: minutes and 2 GiB
	@$(SWIFT) build -c release --product explore $(SWIFTFLAGS)
	@.build/release/explore check --huge >.build/explored || { grep -E 'states=|BROKEN' .build/explored; exit 1; }
	@grep states= .build/explored
	@grep states= .build/explored | diff model/explored.txt - || { echo 'explore: other sizes than model/explored.txt' >&2; exit 1; }

mutants: deps swift ## break the machines on purpose: each break must be noticed by the property named for it
	@bench/packages python3
	/usr/bin/python3 model/mutants/run $(ARGS)

simulate: deps swift ## run the daemon's shell under virtual time (ARGS="--seeds 100 --hours 4 --cameras 3", "--seed 4711")
	@$(SWIFT) build -c release --product simulate $(SWIFTFLAGS)
	@.build/release/simulate $(ARGS)

bench: test-deps build ## run the benches (ARGS: their names; without it all but hour)
	@bench/packages debootstrap systemd-container e2fsprogs binutils
	@bench/run $(ARGS)

# Under sudo there is often no swift in PATH: what was built before is installed then.
installable: deps
	@if command -v $(SWIFT) >/dev/null; then $(MAKE) --no-print-directory build; \
	elif [ ! -x $(VIGIL) ]; then echo 'make: no swift in PATH and nothing built: run `make build` first' >&2; exit 1; fi
	@mkdir -p .build/install
	@for s in bash zsh fish; do \
	    $(VIGIL) --generate-completion-script $$s >.build/install/vigil.$$s || exit 1; done

install: installable ## install binary, unit, users, catalog, policies, man page, completions
	install -d $(DESTDIR)$(prefix)/bin $(DESTDIR)$(policydir) $(DESTDIR)$(bashdir) $(DESTDIR)$(zshdir) \
	    $(DESTDIR)$(fishdir) $(DESTDIR)$(unitdir) $(DESTDIR)$(sysusersdir) $(DESTDIR)$(tmpfilesdir) \
	    $(DESTDIR)$(catalogdir) $(DESTDIR)$(mandir)/man8
	install -m 755 $(VIGIL) $(DESTDIR)$(prefix)/bin/vigil
	sed 's|@PREFIX@|$(prefix)|g' systemd/vigil.service >.build/install/vigil.service
	install -m 644 .build/install/vigil.service $(DESTDIR)$(unitdir)/vigil.service
	install -m 644 systemd/vigil.sysusers $(DESTDIR)$(sysusersdir)/vigil.conf
	install -m 644 systemd/vigil.tmpfiles $(DESTDIR)$(tmpfilesdir)/vigil.conf
	install -m 644 systemd/vigil.catalog $(DESTDIR)$(catalogdir)/vigil.catalog
	install -m 644 policies/*.yaml policies/*.json $(DESTDIR)$(policydir)
	install -m 644 docs/man/vigil.8 $(DESTDIR)$(mandir)/man8/vigil.8
	install -m 644 .build/install/vigil.bash $(DESTDIR)$(bashdir)/vigil
	install -m 644 .build/install/vigil.zsh $(DESTDIR)$(zshdir)/_vigil
	install -m 644 .build/install/vigil.fish $(DESTDIR)$(fishdir)/vigil.fish
	@if [ -z '$(DESTDIR)' ]; then \
	    systemd-sysusers $(sysusersdir)/vigil.conf && systemd-tmpfiles --create $(tmpfilesdir)/vigil.conf && \
	    journalctl --update-catalog && \
	    if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi && \
	    echo 'Installed. Write /etc/vigil/vigil.yaml, then: systemctl enable --now vigil'; fi

uninstall: ## remove what install put there; recordings and configuration stay
	@if [ -z '$(DESTDIR)' ] && [ -d /run/systemd/system ]; then systemctl disable --now vigil || true; fi
	rm -f $(DESTDIR)$(prefix)/bin/vigil $(DESTDIR)$(unitdir)/vigil.service $(DESTDIR)$(sysusersdir)/vigil.conf \
	    $(DESTDIR)$(tmpfilesdir)/vigil.conf $(DESTDIR)$(catalogdir)/vigil.catalog \
	    $(DESTDIR)$(mandir)/man8/vigil.8 $(DESTDIR)$(bashdir)/vigil $(DESTDIR)$(zshdir)/_vigil \
	    $(DESTDIR)$(fishdir)/vigil.fish
	rm -rf $(DESTDIR)$(policydir)
	@if [ -z '$(DESTDIR)' ]; then journalctl --update-catalog; fi

clean: ## remove what was built (not ./vigil-demo)
	rm -rf .build
