extension CameraSettings {
    /// The part of a camera's picture that is shown (docs/design/settings.md): `x1,y1,x2,y2`, its upper left and its lower right corner in
    /// parts of the width and height of the picture as it is seen. It is kept in ten thousandths, so that a text gives itself back.
    public struct Viewport: Hashable, Sendable, CustomStringConvertible {
        /// The whole picture.
        public static let whole = Viewport(edges: [0, 0, parts, parts])

        /// How many parts a side of the picture has.
        private static let parts = 10_000
        /// The smallest side: a tenth of the picture's.
        private static let sideMin = parts / 10
        /// How much its width and its height may differ, so that whoever counts pixels can name it.
        private static let differenceMax = parts / 100

        /// The left, upper, right and lower edge, in ten thousandths.
        private let edges: [Int]

        private init(edges: [Int]) { self.edges = edges }

        /// Reads `x1,y1,x2,y2`.
        init(_ text: String) throws(Unfit) {
            func unfit(_ why: String, _ remedy: String) -> Unfit {
                Unfit(what: "viewport is \"\(text.prefix(40))\"\(why)", remedy: remedy)
            }
            let edges =
                text.utf8.count <= 40 ? text.split(separator: ",", omittingEmptySubsequences: false).map(Self.edge) : []
            guard edges.count == 4, let x1 = edges[0], let y1 = edges[1], let x2 = edges[2], let y2 = edges[3] else {
                throw unfit("", "give x1,y1,x2,y2 from 0 to 1 with at most four decimals, such as 0.1,0.1,0.9,0.9")
            }
            guard x1 < x2, y1 < y2 else {
                throw unfit(", whose corners are exchanged", "give the upper left corner, then the lower right one")
            }
            guard x2 - x1 >= Self.sideMin, y2 - y1 >= Self.sideMin else {
                throw unfit(", which is too small", "give at least a tenth of the picture's width and height")
            }
            // Parts of 0…10,000.
            guard abs(x2 - x1 - (y2 - y1)) <= Self.differenceMax else {
                throw unfit(
                    ", which has another form than the picture",
                    "give the same part of its width and of its height, such as 0.2,0.1,0.8,0.7")
            }
            self.edges = [x1, y1, x2, y2]
        }

        /// `x1,y1,x2,y2` without needless digits.
        public var description: String {
            edges.map { edge in
                guard edge < Self.parts else { return "1" }
                var digits = String(Self.parts + edge).dropFirst()
                while digits.last == "0" { digits.removeLast() }
                return digits.isEmpty ? "0" : "0.\(digits)"
            }.joined(separator: ",")
        }

        /// The left, upper, right and lower edge, in ten thousandths.
        public var tenThousandths: (left: Int, top: Int, right: Int, bottom: Int) {
            (edges[0], edges[1], edges[2], edges[3])
        }

        /// A number from 0 to 1 with at most four decimals, in ten thousandths; nil for anything else.
        private static func edge(_ text: Substring) -> Int? {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard let whole = parts.first, whole == "0" || whole == "1", parts.count <= 2 else { return nil }
            let decimals = parts.count == 2 ? parts[1] : "0"
            guard (1...4).contains(decimals.utf8.count), decimals.utf8.allSatisfy({ (48...57).contains($0) }),
                let value = Int(decimals + String(repeating: "0", count: 4 - decimals.utf8.count))
            else { return nil }
            let edge = (whole == "1" ? Self.parts : 0) + value
            return edge <= Self.parts ? edge : nil
        }
    }
}
