internal import CSystemd

/// The kernel's random id of the present boot: monotonic instants can be compared only within one.
public struct BootID: Sendable, Hashable, CustomStringConvertible {
    /// 32 lower-case hexadecimal digits.
    public let value: String

    /// A boot id read from elsewhere. Returns nil unless it is 32 hexadecimal digits, dashes not counted.
    public init?(_ text: String) {
        guard let value = RandomID.canonical(text) else { return nil }
        self.value = value
    }

    /// The id of this boot.
    ///
    /// - Throws: ``JournalError/bootIDUnreadable(errno:)`` where /proc is not mounted or is hidden.
    public static func current() throws -> BootID {
        var id = sd_id128_t()
        let result = sd_id128_get_boot(&id)
        guard result >= 0 else { throw JournalError.bootIDUnreadable(errno: -result) }
        return BootID(value: RandomID.text(of: id))
    }

    /// The id.
    public var description: String { value }

    private init(value: String) { self.value = value }
}
