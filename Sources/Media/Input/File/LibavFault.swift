import CLibav
import Glibc
import Machines

/// Maps libav's error numbers, once.
enum LibavFault {
    /// The fault that `code` means; `otherwise` for what says nothing about the cause (input/output errors).
    static func fault(_ code: Int32, _ operation: String, otherwise: LinkFailure) -> InputFault {
        let failure: LinkFailure =
            switch code {
            case vigil_averror_http_unauthorized, vigil_averror_http_forbidden: .unauthorized
            case vigil_averror_http_not_found, vigil_averror(ENOENT): .notFound
            case vigil_averror_eof: .closed
            case vigil_averror_invaliddata, vigil_averror_demuxer_not_found: .garbage
            case vigil_averror_stream_not_found, vigil_averror_decoder_not_found, vigil_averror_protocol_not_found:
                .unsupported
            case vigil_averror(ECONNREFUSED): .refused
            case vigil_averror(EHOSTUNREACH), vigil_averror(ENETUNREACH): .unreachable
            case vigil_averror(ETIMEDOUT): .timeout
            case vigil_averror(ENOMEM), vigil_averror(EMFILE), vigil_averror(ENFILE): .resources
            default: otherwise
            }
        return .failed(failure, "\(operation): \(text(code))")
    }

    /// libav's own words for `code`.
    static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard av_strerror(code, &buffer, buffer.count) >= 0 else { return "error \(code)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
