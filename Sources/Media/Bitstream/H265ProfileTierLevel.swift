/// profile_tier_level of H.265 (clause 7.3.3), the general part.
public struct H265ProfileTierLevel: Hashable, Sendable {
    /// general_profile_space, 0…3.
    let profileSpace: UInt8
    /// general_tier_flag: true is High.
    public let isHighTier: Bool
    /// general_profile_idc, 0…31; 1 is Main, 2 is Main 10.
    public let profile: UInt8
    /// The 32 general_profile_compatibility_flags, flag 0 in the highest bit.
    let compatibility: UInt32
    /// The 48 constraint bits in the low bits.
    let constraints: UInt64
    /// general_level_idc: 30 times the level; 93 is 3.1.
    public let level: UInt8

    init(_ reader: inout BitReader, maxSubLayersMinus1: Int) throws(BitstreamError) {
        profileSpace = UInt8(truncatingIfNeeded: try reader.bits(2))
        isHighTier = try reader.flag()
        profile = UInt8(truncatingIfNeeded: try reader.bits(5))
        compatibility = try reader.bits(32)
        let high = UInt64(try reader.bits(24))
        constraints = high << 24 | UInt64(try reader.bits(24))
        level = UInt8(truncatingIfNeeded: try reader.bits(8))
        guard maxSubLayersMinus1 > 0 else { return }
        var present: [(profile: Bool, level: Bool)] = []
        for _ in 0..<maxSubLayersMinus1 {
            let hasProfile = try reader.flag()
            present.append((hasProfile, try reader.flag()))
        }
        try reader.skip(2 * (8 - maxSubLayersMinus1))
        for layer in present { try reader.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
    }

    /// The part of an RFC 6381 codec string after the sample entry's name, by ISO/IEC 14496-15 annex E.3:
    /// `1.6.L93.B0`.
    var codecSuffix: String {
        let space = ["", "A", "B", "C"][Int(profileSpace & 3)]
        var reversed: UInt32 = 0
        for bit in 0..<32 where compatibility & (1 << bit) != 0 { reversed |= 1 << (31 - bit) }
        var parts = ["\(space)\(profile)", String(reversed, radix: 16, uppercase: true)]
        parts.append("\(isHighTier ? "H" : "L")\(level)")
        var bytes = (0..<6).map { UInt8(truncatingIfNeeded: constraints >> UInt64(40 - 8 * $0)) }
        while bytes.last == 0 { bytes.removeLast() }
        parts += bytes.map { String($0, radix: 16, uppercase: true) }
        return parts.joined(separator: ".")
    }
}
