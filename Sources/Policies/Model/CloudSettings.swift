public import Foundation

/// The cloud section of vigil.yaml: where clips are sent, who says for how long, and how much of the line they may take.
public struct CloudSettings: Hashable, Sendable {
    /// A bucket of an S3-compatible store.
    public struct Store: Hashable, Sendable {
        /// How requests name the bucket.
        public enum Addressing: String, Hashable, Sendable, CaseIterable {
            /// In the path: `https://host/bucket/key`.
            case path
            /// In the host name: `https://bucket.host/key`.
            case virtualHost
        }

        /// The store's address, `https://` or `http://`, without a slash at its end.
        public let endpoint: String
        /// The bucket.
        public let bucket: String
        /// The region that signatures name.
        public let region: String
        /// What comes before each key, without slashes at its ends; empty for nothing.
        public let prefix: String
        /// How requests name the bucket.
        public let addressing: Addressing
        /// A PEM file of trusted authorities; nil for the system's.
        public let authorityFile: String?
        /// Where everybody may read what lies below the prefix, without a slash at its end; nil where the bucket is private.
        public let publicURL: String?
        /// The name of the credential, `key id:secret key`; nil for what the environment says.
        public let credential: String?

        /// The store's name in the catalog: the same for the same place, whatever the line to it is like.
        public var name: String { "\(endpoint)/\(bucket)\(prefix.isEmpty ? "" : "/" + prefix)" }
    }

    /// Who says for how long clips may be sent.
    public enum Provider: Hashable, Sendable {
        /// Nobody: a plan that does not end.
        case always
        /// A service over HTTP.
        case service(Service)
    }

    /// A service that knows plans.
    public struct Service: Hashable, Sendable {
        /// Its address, without a slash at its end.
        public let url: String
        /// The name of the credential whose password is the bearer token; nil for none.
        public let credential: String?
        /// How long clips outlive their plan where the answer does not say, in milliseconds.
        public let retentionMs: Int64
    }

    /// A remote encoder.
    public struct Encoder: Hashable, Sendable {
        /// Its address, without a slash at its end.
        public let url: String
        /// The name of the credential whose password is the token, and signs its notices.
        public let credential: String
    }

    /// With whose keys clips are encrypted.
    public struct Encryption: Hashable, Sendable {
        /// The file of the key for clips to come, resolved against the configuration's folder.
        public let keyFile: String
        /// The files of keys that clips of before were encrypted with.
        public let oldKeyFiles: [String]

        /// All of them.
        public var files: [String] { [keyFile] + oldKeyFiles }
    }

    /// Where clips are sent.
    public let store: Store
    /// Who says for how long.
    public let provider: Provider
    /// Who makes copies of clips; nil: this machine.
    public let encoder: Encoder?
    /// With which keys clips are encrypted before they are sent; nil: they are sent as they are.
    public let encryption: Encryption?
    /// How many clips are sent at once, 1…32.
    public let parallel: Int
    /// Bytes a second at most; nil for no limit.
    public let bytesPerSecond: Int64?
    /// When clips are sent; empty for always.
    public let hours: [WeekHours]
    /// Bytes of media from the cloud that are kept at hand.
    public let cacheBytes: Int64

    /// Whether clips are sent at a moment of wall time (milliseconds since 1970-01-01 UTC), in a time zone. What is sent live
    /// does not ask. Pure.
    public func sends(atUnixMs moment: Int64, in zone: TimeZone) -> Bool {
        hours.isEmpty || hours.cover(atUnixMs: moment, in: zone)
    }
}
