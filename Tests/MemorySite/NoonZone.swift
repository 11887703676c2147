internal import Foundation

/// A time zone in which it is about noon, so that no day ends while a test runs.
public enum NoonZone {
    /// Its name: one of `Etc/GMT-11` (eleven hours ahead of UTC) to `Etc/GMT+12`, as of now.
    public static var name: String {
        let ahead = 11 - Int(Date().timeIntervalSince1970) / 3_600 % 24
        return "Etc/GMT\(ahead < 0 ? "+" : "-")\(abs(ahead))"
    }
}
