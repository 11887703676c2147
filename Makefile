# Vigil. `make` or `make help` lists the targets. Every target installs what it needs from Debian by itself.
SHELL := /bin/sh
prefix ?= /usr/local
DESTDIR ?=
CONFIGURATION ?= release
SCRATCH ?= .build
SWIFT ?= swift
SWIFTFLAGS ?=
# SwiftPM puts the traits of a package into commands in the order of a set. With another order it compiles the package anew.
SWIFT_BUILD = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
ARGS ?=
# For `make fuzz`: how many seconds of processor time each target gets, and how many run at a time.
SECONDS ?= 10
JOBS ?= 1
# For `make test`: --all, where no test may be left out.
TEST_ARGS ?=
BUILD = $(SCRATCH)/$(CONFIGURATION)
VIGIL = $(BUILD)/vigil

# Where zsh looks: the package names its own place.
zshdir ?= $(prefix)/share/zsh/site-functions
PLACE = BUILD='$(BUILD)' DESTDIR='$(DESTDIR)' prefix='$(prefix)' zshdir='$(zshdir)' packaging/place
SERVICE = prefix='$(prefix)' packaging/service

# What users get needs no Swift to run and is small: packaging/slim says how it is linked; docs/MEASURED.md what that saves.
RELEASE_FLAGS = --static-swift-stdlib --disable-local-rpath --toolset $(SCRATCH)/link.json \
	-Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections

# With an older GnuTLS a viewer's datagram can end the daemon (docs/design/outside.md).
BUILD_PACKAGES = 'libgnutls28-dev>=3.7.9-2+deb12u7' libavformat-dev libavcodec-dev libavutil-dev libswresample-dev libsqlite3-dev libsrtp2-dev libsystemd-dev \
	pkg-config binutils python3
# What the cameras of Tests/rig need, and what the tests run beside them.
TEST_PACKAGES = $(shell cat Tests/rig/packages) systemd util-linux perl dpkg curl mpv chromium mosquitto mosquitto-clients python3-h2 python3-h11

.PHONY: help deps swift test-deps build program run debug test api store cloud page home ingest push live webrtc onvif lint docs check model explore coverage mutants shell-mutants simulate fuzzers fuzz sanitize bench install uninstall deb clean installable

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | \
	    while IFS='	' read -r name what; do printf '  make %-10s %s\n' "$$name" "$$what"; done
	@echo 'Variables: ARGS (for run, api, simulate, fuzz and bench), DESTDIR and prefix=$(prefix) (for install), VERSION and'
	@echo 'MAINTAINER (for deb), SWIFT, SWIFTFLAGS, SCRATCH=$(SCRATCH) (what is built).'

deps: ## install the Debian packages needed to build and run
	@bench/packages $(BUILD_PACKAGES)

swift:
	@command -v $(SWIFT) >/dev/null || { echo 'make: no swift in PATH: install Swift 6.3 from swift.org' >&2; exit 1; }

test-deps: deps ## install what tests and benches need on top
	@bench/packages $(TEST_PACKAGES)
	@Tests/promtool --version >/dev/null

# Every program is built with the same flags: with others SwiftPM would build all modules anew.
define release # PRODUCT
	@mkdir -p $(SCRATCH)
	@[ $(SCRATCH)/link.json -nt packaging/slim ] || SWIFT='$(SWIFT)' packaging/slim $(SCRATCH)
	$(SWIFT_BUILD) --scratch-path $(SCRATCH) -c $(CONFIGURATION) --product $(1) $(RELEASE_FLAGS) $(SWIFTFLAGS)
endef

build: deps swift ## build what users get (the release build, which needs no Swift to run)
	$(call release,vigil)

program: deps swift
	$(call release,$(PRODUCT))

run: build ## record the built-in demo camera into ./vigil-demo (ARGS="--for 60s")
	@echo 'Until it is installed, vigil is $(VIGIL).'
	@exec $(VIGIL) run --demo --root ./vigil-demo --socket ./vigil-demo/vigil.sock $(ARGS)

debug: test-deps swift ## build what tests and trials run: for debugging, warnings as errors
	$(SWIFT_BUILD) --build-tests -Xswiftc -warnings-as-errors $(SWIFTFLAGS)

test: debug ## build for debugging, run every test, and name those that did not run
	@SWIFT='$(SWIFT)' Tests/run $(TEST_ARGS) -Xswiftc -warnings-as-errors $(SWIFTFLAGS)

live: ## show that chromium plays live view of the demo, with what `make debug` has built
	@bench/packages python3 chromium
	@/usr/bin/python3 Tests/live/run $(ARGS)
api: test-deps swift ## attack a running daemon by its OpenAPI document (ARGS="--examples 200 --seed 7")
	$(SWIFT_BUILD) --product vigil -Xswiftc -warnings-as-errors $(SWIFTFLAGS)
	@Tests/api/run $(ARGS)

store: deps swift ## try the client of object stores against real ones, and its signatures against botocore's (ARGS="--only moto")
	@bench/packages python3 python3-venv openssl
	$(SWIFT_BUILD) --product store-tool -Xswiftc -warnings-as-errors $(SWIFTFLAGS)
	@Tests/s3/run $(ARGS)
	@bench/sigv4.py

cloud: deps swift ## send clips through cuts, kills and refusals to stores that others wrote (ARGS="--minutes 10 --only rclone,juicefs", ARGS=--live, ARGS=--encode, ARGS=--remote, ARGS=--encrypt, ARGS=--refusals, ARGS=--app, ARGS=--plans)
	@bench/packages python3-venv chromium $(shell cat Tests/rig/packages)
	$(SWIFT_BUILD) --product vigil -Xswiftc -warnings-as-errors $(SWIFTFLAGS)
	$(SWIFT_BUILD) --product cloud-example -Xswiftc -warnings-as-errors $(SWIFTFLAGS)
	@Tests/cloud/run $(ARGS)

# What a person does on the page, in both browsers with a real daemon; faketime gives the daemon a yesterday.
PAGE_PACKAGES = chromium firefox-esr nodejs python3 python3-venv faketime gcc libc6-dev ffmpeg curl util-linux iproute2 $(shell cat Tests/rig/packages)
PAGE_VENV = $(SCRATCH)/page-venv

page: ## try the web page in chromium and firefox; pictures go to .build/page (ARGS="--chromium --only wall,live")
	@bench/packages $(PAGE_PACKAGES)
	@node --test Tests/page/units.mjs >$(SCRATCH)/page-units 2>&1 || { cat $(SCRATCH)/page-units; exit 1; }
	@[ -x $(PAGE_VENV)/bin/python ] || /usr/bin/python3 -m venv $(PAGE_VENV)
	@$(PAGE_VENV)/bin/pip install -q --disable-pip-version-check -r Tests/page/requirements.txt
	@$(PAGE_VENV)/bin/python Tests/page/run $(ARGS)

ingest: test-deps swift ## push what a transport records to a strict receiver that is cut off again and again (ARGS="--minutes 10 --cuts 6")
	@bench/packages python3 python3-h2 python3-h11 openssl ffmpeg
	$(SWIFT_BUILD) --product vigil -Xswiftc -warnings-as-errors $(SWIFTFLAGS)
	@Tests/ingest/run $(ARGS)

push: test-deps swift ## have ffmpeg and GStreamer push to a daemon, cut off and wrong in many ways, and look at it (ARGS="--seconds 600 --cuts 12")
	@bench/packages python3 openssl ffmpeg curl gstreamer1.0-tools gstreamer1.0-plugins-good chromium
	$(SWIFT_BUILD) --product vigil -Xswiftc -warnings-as-errors $(SWIFTFLAGS)
	@Tests/ingest/push $(ARGS)
	@Tests/ingest/shown

# Home Assistant's own code, the last version for Debian 12's Python.
HOME_VENV = $(SCRATCH)/home-venv

home: test-deps swift ## show what is published by MQTT to Home Assistant's own code
	@bench/packages python3 python3-venv
	@[ -x $(HOME_VENV)/bin/python ] || /usr/bin/python3 -m venv $(HOME_VENV)
	@$(HOME_VENV)/bin/pip install -q --disable-pip-version-check -r Tests/home/requirements.txt
	$(SWIFT_BUILD) --product vigil -Xswiftc -warnings-as-errors $(SWIFTFLAGS)
	@$(HOME_VENV)/bin/python Tests/home/run

# aiortc is a viewer of WebRTC that shares no code with Vigil.
WEBRTC_VENV = $(SCRATCH)/webrtc-venv

webrtc: test-deps swift ## show cameras to aiortc, chromium and firefox by WebRTC, and attack it, in a network of their own (ARGS="--only first,lost"); as root
	@bench/packages python3 python3-venv chromium firefox-esr iproute2
	@[ -x $(WEBRTC_VENV)/bin/python ] || /usr/bin/python3 -m venv $(WEBRTC_VENV)
	@$(WEBRTC_VENV)/bin/pip install -q --disable-pip-version-check -r Tests/webrtc/requirements.txt
	$(SWIFT_BUILD) --product vigil -Xswiftc -warnings-as-errors $(SWIFTFLAGS)
	@$(WEBRTC_VENV)/bin/python Tests/webrtc/run $(ARGS)

# onvif-zeep-async is a client of ONVIF that shares no code with Vigil, ipycam a camera that does not. aiortc talks to one.
ONVIF_VENV = $(SCRATCH)/onvif-venv

onvif: test-deps swift ## find cameras of ONVIF and hostile ones, in networks of their own (ARGS="--only found,login"); as root
	@bench/packages python3 python3-venv iproute2 curl ffmpeg
	@[ -x $(ONVIF_VENV)/bin/python ] || /usr/bin/python3 -m venv $(ONVIF_VENV)
	@$(ONVIF_VENV)/bin/pip install -q --disable-pip-version-check -r Tests/onvif/requirements.txt
	@[ -x $(WEBRTC_VENV)/bin/python ] || /usr/bin/python3 -m venv $(WEBRTC_VENV)
	@$(WEBRTC_VENV)/bin/pip install -q --disable-pip-version-check -r Tests/webrtc/requirements.txt
	$(SWIFT_BUILD) --product vigil -Xswiftc -warnings-as-errors $(SWIFTFLAGS)
	@$(ONVIF_VENV)/bin/python Tests/onvif/run --viewer $(WEBRTC_VENV)/bin/python $(ARGS)

lint: swift ## check the format of the Swift code, strictly
	$(SWIFT) format lint --strict --parallel --configuration .swift-format --recursive Package.swift Sources Tests model bench

docs: deps swift ## convert the pages of VigilKit with DocC, warnings as errors, into .build/docs
	$(SWIFT_BUILD) --target VigilURLSession -Xswiftc -warnings-as-errors $(SWIFTFLAGS)
	@.ci/docs

check: ## check the tree for what does not belong into it
	@.ci/tidy

# The steps of a daemon: a file or folder of its trace, or what journalctl wrote.
TRACE ?=
model: deps ## check the TLA+ models and regenerate their graphs (ARGS="--check" changes nothing; TRACE=FILE checks a daemon's steps)
	@bench/packages python3 python3-pip openjdk-17-jre-headless
ifneq ($(TRACE),)
	/usr/bin/python3 model/trace/run '$(TRACE)'
else
	/usr/bin/python3 model/run $(ARGS)
	/usr/bin/python3 model/second/compare
endif

# Where the checker is built; `make PROOF=.build/proof explore` builds it beside another build.
PROOF ?= $(SCRATCH)
ifdef SHARE
# What has changed is checked whole; a share of what has not is for .ci/run.
explore: deps swift
	@$(SWIFT_BUILD) --scratch-path $(PROOF) -c release --product explore $(SWIFTFLAGS)
	@$(PROOF)/release/explore list | awk -v share=$(SHARE) '{split(share, of, "/")} NR % of[2] == of[1] % of[2] {print $$1}' >$(PROOF)/asked
	@[ -s $(PROOF)/asked ] || { echo 'explore: no graph is in the share $(SHARE)' >&2; exit 1; }
	@$(PROOF)/release/explore check --exactly $$(cat $(PROOF)/asked) >$(PROOF)/explored || { grep -E 'states=|BROKEN' $(PROOF)/explored; exit 1; }
	@grep states= $(PROOF)/explored | sort | tee $(PROOF)/sizes
	@awk 'NR == FNR {asked[$$1]; next} $$1 in asked' $(PROOF)/asked model/explored.txt | sort | diff - $(PROOF)/sizes \
		|| { echo 'explore: other sizes than model/explored.txt' >&2; exit 1; }
else
explore: deps swift coverage ## walk through every state of every machine in Swift, the whole camera too: minutes and 2 GiB (SHARE=1/4: a share of the graphs)
	@$(SWIFT_BUILD) --scratch-path $(PROOF) -c release --product explore $(SWIFTFLAGS)
	@# All but the huge graphs were checked to measure their coverage.
	@$(PROOF)/release/explore check --exactly $$($(PROOF)/release/explore list | sed -n 's/ (huge)$$//p') >$(PROOF)/explored \
		|| { grep -E 'states=|BROKEN' $(PROOF)/explored; exit 1; }
	@cat .build/coverage/explored $(PROOF)/explored | grep states= | sort | tee $(PROOF)/sizes
	@sort model/explored.txt | diff - $(PROOF)/sizes || { echo 'explore: other sizes than model/explored.txt' >&2; exit 1; }
	@SWIFT='$(SWIFT)' model/unchanged --pin explore
endif

coverage: deps swift ## measure which branches of the machines each view reaches, and compare that, and what none reaches, with what is pinned
	@bench/packages python3
	@model/coverage/test
	@model/coverage/run $(ARGS)

mutants: deps swift ## break the machines on purpose: each break must be noticed by the property named for it
	@bench/packages python3
	/usr/bin/python3 model/mutants/run $(ARGS)

shell-mutants: deps swift ## break the daemon on purpose: each break must be noticed by the simulation (ARGS="--who"): long
	@bench/packages python3
	/usr/bin/python3 model/shell-mutants/run $(ARGS)

# A night's seeds are its own, and no other night's: the date, and a number of five digits.
NIGHT ?=
NIGHT_ARGS = $(if $(NIGHT),--first $(shell date -u +%Y%m%d)00000 --seeds 8334 --hours 4 --cameras 3 --store-each 8)

simulate: deps swift ## run the daemon's shell under virtual time (ARGS="--seeds 100 --hours 4 --cameras 3", "--seed 4711"; NIGHT=1)
	$(call release,simulate)
	@$(BUILD)/simulate $(NIGHT_ARGS) $(ARGS)

fuzzers: deps swift
	@$(SWIFT_BUILD) -c release --package-path Tests/fuzz --scratch-path .build/fuzz $(SWIFTFLAGS)

fuzz: fuzzers ## attack what reads foreign bytes (SECONDS=10 for each target, JOBS=1 at a time, ARGS="rtsp sdp")
	@Tests/fuzz/run --seconds $(SECONDS) --jobs $(JOBS) $(ARGS)

# The sanitizers' builds have folders of their own, so that the others are not made anew.
sanitize: test-deps swift ## run every test under the thread sanitizer, then under the address sanitizer: long
	@status=0; for kind in thread address; do Tests/sanitize/run $$kind $(SWIFTFLAGS) || status=1; done; exit $$status

bench: test-deps build ## run the benches (ARGS: their names; without it all but hour)
	@bench/run $(ARGS)

# Under sudo there is often no swift in PATH: what was built before is installed then.
installable: deps
	@if command -v $(SWIFT) >/dev/null; then $(MAKE) --no-print-directory build; \
	elif [ ! -x $(VIGIL) ]; then echo 'make: no swift in PATH and nothing built: run `make build` first' >&2; exit 1; fi

install: ## install or upgrade Vigil and its service (packaging/files lists what goes where)
	@[ -n '$(DESTDIR)' ] || $(SERVICE) may-install
	@$(MAKE) --no-print-directory installable
	@$(PLACE) put
	@[ -n '$(DESTDIR)' ] || $(SERVICE) installed

uninstall: ## remove what install put there; recordings and configuration stay
	@[ -n '$(DESTDIR)' ] || $(SERVICE) stop
	@$(PLACE) take
	@[ -n '$(DESTDIR)' ] || $(SERVICE) uninstalled

deb: installable ## make the Debian package vigil_VERSION_ARCHITECTURE.deb in this folder
	@bench/packages dpkg-dev
	@BUILD='$(BUILD)' packaging/deb

clean: ## remove what was built (not ./vigil-demo)
	rm -rf .build
