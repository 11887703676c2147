/// One metric with its samples, as `GET /metrics` writes it in Prometheus' text format.
public struct Metric: Hashable, Sendable {
    /// What its value does.
    public enum Kind: String, Hashable, Sendable {
        /// It only grows, until the daemon starts again. Its name ends in `_total`.
        case counter
        /// It goes up and down.
        case gauge
    }

    /// One value, told apart from the others by its labels.
    public struct Sample: Hashable, Sendable {
        /// Names and values, in order.
        public var labels: [Label]
        /// In the unit that the metric's name says.
        public var value: Double
    }

    /// One label.
    public struct Label: Hashable, Sendable {
        /// Letters, digits and `_`.
        public var name: String
        /// Any text.
        public var value: String
    }

    /// Letters, digits and `_`, beginning with `vigil_`.
    public var name: String
    /// What it says, in one line.
    public var help: String
    /// What its value does.
    public var kind: Kind
    /// Its values.
    var samples: [Sample] = []

    /// A metric without samples.
    public init(_ kind: Kind, _ name: String, _ help: String) {
        self.kind = kind
        self.name = name
        self.help = help
    }

    /// The same with one more sample.
    public mutating func add(_ value: Double, _ labels: (String, String)...) {
        samples.append(Sample(labels: labels.map { Label(name: $0.0, value: $0.1) }, value: value))
    }

    /// One sample for each of `words`, 1 for `present` and 0 for the others: a state among all that there are.
    public mutating func add(_ present: String, of words: [String], as label: String, _ others: (String, String)...) {
        let others = others.map { Label(name: $0.0, value: $0.1) }
        for word in words {
            samples.append(Sample(labels: others + [Label(name: label, value: word)], value: word == present ? 1 : 0))
        }
    }

    /// Metrics in Prometheus' text format 0.0.4. One without samples is left out.
    static func text(of metrics: [Metric]) -> String {
        var text = ""
        for metric in metrics where !metric.samples.isEmpty {
            text += "# HELP \(metric.name) \(escaped(metric.help, quotes: false))\n"
            text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
            for sample in metric.samples {
                let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
                text += metric.name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}")
                text += " \(number(sample.value))\n"
            }
        }
        return text
    }

    private static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value) { return "\(whole)" }
        return value.isNaN ? "NaN" : value.isInfinite ? (value < 0 ? "-Inf" : "+Inf") : "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let text = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? text.replacing("\"", with: "\\\"") : text
    }
}
