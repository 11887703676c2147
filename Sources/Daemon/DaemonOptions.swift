public import Policies
public import Server

/// How a daemon is started.
public struct DaemonOptions: Sendable {
    /// Where the configuration comes from.
    public enum Source: Sendable, Hashable {
        /// A file, `vigil.yaml`.
        case file(String)
        /// The built-in demo: a configuration with one synthetic camera, written below the root if none is there yet.
        case demo
    }

    /// Where the configuration comes from.
    public var source: Source
    /// The folder of the recordings, in place of the configuration's.
    public var root: String?
    /// The control socket, in place of the configuration's.
    public var socket: String?
    /// Where HTTP is served, in place of the configuration's.
    public var listen: Listen
    /// After this many milliseconds the daemon drains and ends by itself; nil: never.
    public var forMs: Int64?
    /// Called once everything runs, with the root and the socket.
    var onReady: (@Sendable (Ready) -> Void)?

    /// Where HTTP is served.
    public enum Listen: Sendable, Hashable {
        /// As the configuration says.
        case configured
        /// At this address, or not at all.
        case at(ListenAddress?)
    }

    /// What runs.
    public struct Ready: Sendable {
        /// The folder of the recordings.
        public let root: String
        /// The control socket.
        public let socket: String
        /// Gives an address of the web page that logs in once; nil where no HTTP is served.
        public let link: @Sendable () async -> String?
        /// The certificate of the web page; nil without TLS.
        public let certificate: @Sendable () -> CertificateInfo?
    }

    /// Options.
    public init(
        source: Source, root: String? = nil, socket: String? = nil, listen: Listen = .configured, forMs: Int64? = nil,
        onReady: (@Sendable (Ready) -> Void)? = nil
    ) {
        self.source = source
        self.root = root
        self.socket = socket
        self.listen = listen
        self.forMs = forMs
        self.onReady = onReady
    }
}

/// Why a daemon did not start, or had to end: what, why, and what to do.
public struct DaemonFailure: Error, CustomStringConvertible {
    /// One or more lines for the operator.
    public let description: String

    init(_ description: String) { self.description = description }
}
