import Machines

/// Areas of the picture as they are written: `[ [0.1, 0.2], [0.4, 0.2], [0.4, 0.9] ]`.
enum AreaText {
    /// How many corners an area may have.
    static let corners = 3...32

    /// One area, for the JSON Schema.
    static var schema: SchemaJSON {
        let coordinate = SchemaJSON.object([
            ("type", .string("number")), ("minimum", .number(0)), ("maximum", .number(1)),
        ])
        let corner = SchemaJSON.object([
            ("type", .string("array")), ("minItems", .number(2)), ("maxItems", .number(2)), ("items", coordinate),
        ])
        return .object([
            ("type", .string("array")), ("minItems", .number(corners.lowerBound)),
            ("maxItems", .number(corners.upperBound)), ("items", corner),
        ])
    }

    /// Whether a plain text is YAML's null.
    static func isNull(_ text: String) -> Bool { ["", "~", "null"].contains(text) }

    /// A corner; nil where it is not two numbers of the picture.
    static func point(_ item: Item) -> Point? {
        guard let pair = item.elements, pair.count == 2, let x = coordinate(pair[0]), let y = coordinate(pair[1]) else {
            return nil
        }
        return Point(x: x, y: y)
    }

    /// An area; nil where a corner is none.
    static func polygon(_ item: Item) -> Polygon? {
        guard let elements = item.elements else { return nil }
        let points = elements.compactMap(point)
        return points.count == elements.count ? Polygon(points) : nil
    }

    /// An area as it is written.
    static func text(_ polygon: Polygon) -> String {
        "[ " + polygon.points.map { "[\(text($0.x)), \(text($0.y))]" }.joined(separator: ", ") + " ]"
    }

    /// A coordinate, 0…10 000, as a number from 0 to 1 with as many digits as it needs.
    private static func text(_ coordinate: Int) -> String {
        guard coordinate % Point.frame != 0 else { return coordinate == 0 ? "0" : "1" }
        var digits = String(String(Point.frame + coordinate).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        return "0." + digits
    }

    /// A number from 0 to 1 in ten-thousandths; nil where it is none. What is written more exactly is rounded.
    static func coordinate(_ item: Item) -> Int? {
        guard let text = item.text, text.count <= 20, text.wholeMatch(of: /[01](\.[0-9]+)?|\.[0-9]+/) != nil,
            let number = Double(text), number <= 1
        else { return nil }
        return Int((number * Double(Point.frame)).rounded())
    }
}

extension Checker {
    /// Checks named areas: each a simple polygon.
    mutating func checkAreas(_ item: Item, limit: Int, path: String) {
        guard let entries = item.entries else {
            return error(
                item.place, path, "expected names with corners each, found \(item.kindInWords)",
                "write a name, a colon and corners: door: [ [0.1, 0.2], [0.4, 0.2], [0.4, 0.9] ]")
        }
        guard entries.count <= limit else {
            return error(item.place, path, "\(entries.count) entries; at most \(limit) are allowed", "remove some")
        }
        for entry in entries {
            let keyPath = Self.join(path, entry.key)
            if let fault = ValueForm.name.fault(entry.key) {
                error(entry.place, keyPath, fault.reason, fault.remedy)
            } else if AreaText.isNull(entry.key) {
                error(
                    entry.place, keyPath, "null stands for the part of the picture outside every zone",
                    "give it another name")
            }
            checkArea(entry.value, path: keyPath)
        }
    }

    private mutating func checkArea(_ item: Item, path: String) {
        guard let corners = list(item, limit: AreaText.corners.upperBound, path: path) else { return }
        for (index, corner) in corners.enumerated() where AreaText.point(corner) == nil {
            error(
                corner.place, "\(path)[\(index)]", "this is not a corner: two numbers from 0 to 1",
                "write [x, y], such as [0.25, 0.5], counted from the top left of the picture")
        }
        guard let polygon = AreaText.polygon(item), let flaw = polygon.flaw else { return }
        let (place, reason, remedy) = Self.words(flaw, corners, at: item.place)
        error(place, path, reason, remedy)
    }

    private static func words(
        _ flaw: Polygon.Flaw, _ corners: [Item], at place: Place
    ) -> (place: Place, reason: String, remedy: String) {
        func corner(_ index: Int) -> String { "\((index % corners.count) + 1)" }
        switch flaw {
        case .tooFew:
            return (
                place, "\(corners.count) corners bound no area", "write at least \(AreaText.corners.lowerBound) corners"
            )
        case .repeated(let first, let second):
            return (
                corners[second].place, "corners \(corner(first)) and \(corner(second)) are at the same place",
                "remove one of them; the area closes by itself"
            )
        case .crossing(let first, let second):
            return (
                corners[second].place,
                "the outline meets itself: the edge from corner \(corner(second)) to \(corner(second + 1)) touches the one from \(corner(first)) to \(corner(first + 1))",
                "write the corners in the order in which you go around the area, or make two areas of it"
            )
        case .folded(let index):
            return (
                corners[index].place, "the outline turns back on itself at corner \(corner(index))",
                "remove that corner"
            )
        }
    }
}
