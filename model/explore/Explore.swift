import Worlds

/// The explorer at the command line: walks through every state of the machines in the worlds of World.
@main
struct Explore {
    static let usage = """
        usage: explore edges NAME            print a graph, one line a step
               explore check [NAME...]       check every promise; a name may be a beginning
               explore check --exactly NAME...  only what has just this name
               explore check --large [NAME...]  large graphs too (in a release build); --huge: all, in minutes and gigabytes
               explore diagram [NAME]        print a state diagram (Mermaid)
               explore list                  what there is
        """

    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        let verb = arguments.popFirst()
        switch verb {
        case "edges": try edges(Array(arguments))
        case "check": try check(Array(arguments))
        case "diagram": try diagram(arguments.first)
        case "list":
            for subject in Subject.all() { print(subject.name + " (\(subject.size))") }
            for diagram in Diagram.all { print("diagram \(diagram.name)") }
        default: fail(usage)
        }
    }

    private static func edges(_ names: [String]) throws {
        guard let name = names.first, let subject = Subject.all().first(where: { $0.name == name }) else {
            fail("explore edges: no such graph; \"explore list\" names them")
        }
        for line in try subject.lines() { print(line) }
    }

    private static func check(_ arguments: [String]) throws {
        let names = arguments.filter { !$0.hasPrefix("--") }
        let most: Subject.Size =
            arguments.contains("--huge") ? .huge : arguments.contains("--large") ? .large : .everyday
        let subjects = Subject.all().filter { subject in
            names.contains(subject.name)
                || !arguments.contains("--exactly") && subject.size.rawValue <= most.rawValue
                    && (names.isEmpty || names.contains { subject.name.hasPrefix($0) })
        }
        if subjects.isEmpty { fail("explore check: no such graph; \"explore list\" names them") }
        var broken = 0
        for subject in subjects {
            let finding = try subject.check()
            print("\(subject.name) states=\(finding.states) edges=\(finding.edges) depth=\(finding.depth)")
            for (promise, complaint) in finding.verdicts {
                print(complaint.map { "  BROKEN \($0)" } ?? "  ok     \(promise)")
                if complaint != nil { broken += 1 }
            }
        }
        print("\(subjects.count) graphs, \(broken) promises broken")
        if broken > 0 { fail("") }
    }

    private static func diagram(_ name: String?) throws {
        for diagram in Diagram.all where name == nil || name == diagram.name {
            print("%% \(diagram.name)\n\(try diagram.text())")
        }
    }
}
