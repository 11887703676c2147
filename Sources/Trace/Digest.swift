internal import Hashing
public import Machines

/// A 64-bit FNV-1a digest: small enough to write for every step, and the same on every machine. It finds divergence, it
/// does not resist forgery.
public struct Digest: Sendable, Hashable, CustomStringConvertible {
    /// The digest's bits.
    public let value: UInt64

    /// The digest of `bytes`.
    public init(of bytes: some Sequence<UInt8>) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes {
            hash ^= UInt64(byte)
            hash &*= 0x100_0000_01b3
        }
        value = hash
    }

    /// A digest read from a trace. Returns nil unless it is 16 lower-case hexadecimal digits.
    public init?(_ text: String) {
        guard text.utf8.count == 16 else { return nil }
        var value: UInt64 = 0
        for digit in text.utf8 {
            guard let nibble = Hex.value(of: digit) else { return nil }
            value = value << 4 | UInt64(nibble)
        }
        self.value = value
        guard description == text else { return nil }
    }

    /// 16 lower-case hexadecimal digits, most significant first.
    public var description: String { Hex.text(value) }

    /// The digest of a step: over the instant in milliseconds, the input as it was written, the canonical JSON of the state
    /// after the step, and that of the effects, with a newline between each two.
    ///
    /// - Throws: ``TraceError/notEncodable(subject:cause:)``.
    public init<State: Encodable, Effect: Encodable>(
        at: Instant, input: String, state: State, effects: [Effect]
    ) throws(TraceError) {
        self.init(at: at, input: input, stateBytes: try CanonicalJSON.encode(state), effects: try StepEffects(effects))
    }

    /// The digest of a step whose effects are encoded already.
    ///
    /// - Throws: ``TraceError/notEncodable(subject:cause:)``.
    public init<State: Encodable>(
        at: Instant, input: String, state: State, effects: StepEffects
    ) throws(TraceError) {
        self.init(at: at, input: input, stateBytes: try CanonicalJSON.encode(state), effects: effects)
    }

    init(at: Instant, input: String, stateBytes: [UInt8], effects: StepEffects) {
        var bytes = Array("\(at.ms)\n\(input)\n".utf8)
        bytes.reserveCapacity(bytes.count + stateBytes.count + 1 + effects.bytes.count)
        bytes += stateBytes
        bytes.append(UInt8(ascii: "\n"))
        bytes += effects.bytes
        self.init(of: bytes)
    }
}
