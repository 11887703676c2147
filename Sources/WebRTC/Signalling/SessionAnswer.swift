/// The answer to an offer (RFC 8829, 5.3) of an end that only answers checks (RFC 8445, 2.5) and waits for the handshake.
struct SessionAnswer {
    /// What this end says of itself.
    struct Local {
        /// What checks name and are signed with: secret until the viewer has them.
        let user: String
        let password: String
        let fingerprint: Fingerprint
        /// Where datagrams are taken: numeric addresses, the best one first.
        let addresses: [String]
        let port: UInt16
        /// The sources of RTP.
        let videoSource: UInt32
        let soundSource: UInt32
        /// Names both as those of one camera (RFC 3550, 6.5.1).
        let name: String
        /// The number of the session.
        let session: UInt64
    }

    let offer: SessionOffer
    let media: NegotiatedMedia
    let local: Local

    /// The description.
    var text: String {
        let bundled = offer.media.indices.filter(isBundled).map { offer.media[$0].mid }
        var lines = [
            "v=0", "o=- \(local.session >> 1) 1 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=ice-lite",
        ]
        if !bundled.isEmpty { lines.append("a=group:BUNDLE \(bundled.joined(separator: " "))") }
        lines.append("a=msid-semantic: WMS *")
        for index in offer.media.indices { lines += medium(index) }
        return lines.map { $0 + "\r\n" }.joined()
    }

    /// Whether a medium goes over the one transport: the video, and in its company sound, also where none is sent.
    private func isBundled(_ index: Int) -> Bool {
        let (medium, video) = (offer.media[index], offer.media[media.video.medium])
        guard offer.bundle.contains(medium.mid), offer.bundle.contains(video.mid) else { return false }
        if [media.video.medium, media.sound?.medium, media.heard?.medium].contains(index) { return true }
        return medium.kind == "audio" && !medium.described.isEmpty && medium.protocolName == video.protocolName
    }

    private func medium(_ index: Int) -> [String] {
        let medium = offer.media[index]
        let mid = medium.mid.isEmpty ? [] : ["a=mid:\(medium.mid)"]
        let isVideo = index == media.video.medium
        guard isVideo || isBundled(index) else {
            return ["m=\(medium.kind) 0 \(medium.protocolName) \(medium.formats[0])", "c=IN IP4 0.0.0.0"] + mid
                + ["a=inactive"]
        }
        let sent =
            isVideo
            ? media.video.choices.map(\.format)
            : index == media.sound?.medium ? media.sound.map { [$0.format] } ?? [] : []
        let heard = index == media.heard?.medium ? media.heard?.formats ?? [] : []
        // The viewer codes what it says in the first of them.
        var formats = heard + sent.filter { !heard.contains($0) }
        if formats.isEmpty { formats = [medium.described[0]] }
        let types = formats.map { "\($0.payloadType)" }.joined(separator: " ")
        var lines = ["m=\(medium.kind) \(local.port) \(medium.protocolName) \(types)"]
        let first = local.addresses.first ?? "0.0.0.0"
        lines.append("c=IN \(first.contains(":") ? "IP6" : "IP4") \(first)")
        lines += mid
        let direction =
            switch (!sent.isEmpty, !heard.isEmpty) {
            case (true, true): "a=sendrecv"
            case (true, false): "a=sendonly"
            case (false, true): "a=recvonly"
            case (false, false): "a=inactive"
            }
        lines += [direction, "a=rtcp-mux", "a=rtcp-rsize"]
        lines += [
            "a=ice-ufrag:\(local.user)", "a=ice-pwd:\(local.password)", "a=fingerprint:\(local.fingerprint.text)",
            "a=setup:passive",
        ]
        for format in formats {
            lines += Self.lines(
                of: format, isHeard: heard.contains(format),
                isStereo: sent.contains(format) && !isVideo && media.isStereo)
        }
        if !heard.isEmpty { lines.append("a=ptime:20") }
        if isVideo {
            for format in formats {
                for feedback in ["goog-remb", "nack", "nack pli", "ccm fir"] where format.feedback.contains(feedback) {
                    lines.append("a=rtcp-fb:\(format.payloadType) \(feedback)")
                }
            }
        }
        if !sent.isEmpty {
            let source = isVideo ? local.videoSource : local.soundSource
            lines += [
                "a=msid:\(local.name) \(medium.kind)", "a=ssrc:\(source) cname:\(local.name)",
                "a=ssrc:\(source) msid:\(local.name) \(medium.kind)",
            ]
        }
        // Those of the first medium hold for all that share its transport (RFC 8843, 9.2).
        if index == offer.media.indices.first(where: isBundled) ?? media.video.medium { lines += candidates }
        return lines
    }

    /// What is said of a format.
    private static func lines(of format: MediaOffer.Format, isHeard: Bool, isStereo: Bool) -> [String] {
        var lines: [String] = []
        if format.clockRate > 0 {
            // Not every reader takes its capitals (RFC 8866, 6.6 leaves them free).
            let name = format.name == "OPUS" ? "opus" : format.name
            let channels = format.channels > 1 ? "/\(format.channels)" : ""
            lines.append("a=rtpmap:\(format.payloadType) \(name)/\(format.clockRate)\(channels)")
        }
        // RFC 7587, 7.1: what is taken. A loudspeaker has one channel, and what repairs losses is not read.
        var parameters =
            isHeard && HeardPacket.Coding(format) == .opus
            ? "minptime=10;stereo=0;useinbandfec=0" : format.parameters
        // What is sent.
        if isStereo { parameters += (parameters.isEmpty ? "" : ";") + "sprop-stereo=1" }
        if !parameters.isEmpty { lines.append("a=fmtp:\(format.payloadType) \(parameters)") }
        return lines
    }

    /// RFC 8839, 5.1. The priorities follow the order.
    private var candidates: [String] {
        let lines = local.addresses.enumerated().map { index, address in
            let preference = UInt32(clamping: 65_535 - index)
            let priority = 126 << 24 | preference << 8 | 255
            return "a=candidate:\(index + 1) 1 udp \(priority) \(address) \(local.port) typ host"
        }
        return lines + ["a=end-of-candidates"]
    }
}
