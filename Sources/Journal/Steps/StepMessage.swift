/// A record of the journal that a step of a machine calls for.
public struct StepMessage: Sendable {
    /// Its kind.
    public let kind: MessageKind
    /// Its fields but for the camera; nil for a value that only the shell knows.
    public let fields: [(field: Field, value: String?)]
    /// Fields that the shell may add.
    public let optional: Set<Field>

    init(_ kind: MessageKind, _ fields: [(field: Field, value: String?)] = [], optional: Set<Field> = []) {
        self.kind = kind
        self.fields = fields
        self.optional = optional
    }

    /// A record of a kind with these fields, of whose values nothing is known.
    public init(_ kind: MessageKind, with fields: [Field]) { self.init(kind, fields.map { ($0, nil) }) }

    /// The fields with their values; nil where a value is not known.
    public var known: [(Field, String)]? {
        let known = fields.compactMap { field, value in value.map { (field, $0) } }
        return known.count == fields.count ? known : nil
    }

    /// It in the words of a MESSAGE without a camera, as far as its values are known.
    public var words: String {
        MessageText.render(kind, camera: nil, fields: fields.compactMap { field, value in value.map { (field, $0) } })
    }
}

extension MessageKind {
    /// The MESSAGE of a record of this kind with these fields, as the journal has it.
    public func message(camera: String, fields: [(Field, String)]) -> String {
        MessageText.render(self, camera: camera, fields: fields)
    }
}
