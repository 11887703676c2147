/// One record of the journal as those who follow it within the program get it: secrets removed, values bounded.
public struct ToldMessage: Sendable {
    /// What happened.
    public let kind: MessageKind
    /// When it was said, UTC epoch milliseconds.
    public let wallMs: Int64
    /// How urgent it is.
    public let priority: Priority
    /// The camera that it is about; nil: it is about the site.
    public let camera: String?
    /// What a reader of the journal sees, without the camera's name.
    public let text: String
    /// Everything variable.
    public let fields: [(Field, String)]

    /// The value of a field; nil where the record does not have it.
    public subscript(field: Field) -> String? { fields.first { $0.0 == field }?.1 }
}
