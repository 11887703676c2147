import Foundation

@testable import Cloud

/// What a remote encoder may say of a job.
enum EncoderTarget {
    private static let asked: Set<String> = ["720p", "360p", "audio"]

    static func run(_ bytes: UnsafeRawBufferPointer) {
        let answer: EncoderAnswer
        do { answer = try EncoderAnswer(parsing: Data(bytes), asked: asked) } catch {
            hold(!error.description.contains(where: \.isNewline), "a defect is one line")
            hold(!error.cause.isEmpty && !error.remedy.isEmpty, "a defect has a cause and a remedy")
            return
        }
        hold((try? EncoderAnswer(parsing: Data(bytes), asked: asked)) == answer, "the same bytes give the same answer")
        hold(!answer.job.contains { "/%?# ".contains($0) || $0.isNewline }, "\(answer.job) is a part of a path")
        hold((0...1_000).contains(answer.perMille ?? 0), "what is done is in its range")
        hold(answer.why.map { !$0.contains(where: \.isNewline) } ?? true, "the reason is one line")
        hold(answer.renditions.isEmpty == (answer.state != .finished), "what is finished was made")
        for rendition in answer.renditions {
            hold(asked.contains(rendition.name), "\(rendition.name) was asked for")
            hold(!rendition.codec.contains { "\",".contains($0) || $0.isNewline }, "the codec ends no attribute")
            hold(rendition.peak <= 1_000_000_000 && rendition.average <= 1_000_000_000, "rates are in their range")
        }
    }
}
