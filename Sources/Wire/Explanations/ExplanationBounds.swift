/// The bounds of what the daemon explains in one answer.
public enum ExplanationBounds {
    /// The longest time that `simulate` and `ladder` look at, in milliseconds: 31 days.
    public static let lengthMsMax: Int64 = 31 * 86_400_000
    /// Explanations that are worked on at once; of more, each is refused.
    public static let concurrentMax = 2
    /// How long one may take, in milliseconds: less than a client waits for the head of an answer.
    public static let durationMsMax: Int64 = 50_000
    /// Steps of machines that one may read.
    public static let recordsMax = 5_000_000
}
