internal import ArgumentParser

/// `--json`; common to all listings.
struct JSONFlag: ParsableArguments {
    @Flag(name: .long, help: "Write JSON; the names are those of docs/reference/http.md, times are in UTC.")
    var json = false
}
