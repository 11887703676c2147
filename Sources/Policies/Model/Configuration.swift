public import Machines

/// What vigil.yaml says, checked and with its defaults filled in. Paths are resolved against the file's folder.
public struct Configuration: Hashable, Sendable {
    /// Where recordings are kept.
    public struct StorageSettings: Hashable, Sendable {
        /// The folder of catalog and recordings.
        public let root: String
        /// Bytes that all recordings together may use; nil for no limit but the reserve.
        public let maxBytes: Int64?
        /// Free space to keep.
        public let reserve: Reserve
        /// How often written media is forced to the disk, in milliseconds, 1 000…60 000.
        public let syncIntervalMs: Int64
    }

    /// How much of the machines' trace is kept.
    public struct TraceSettings: Hashable, Sendable {
        /// How long, in milliseconds.
        public let keepMs: Int64
        /// Bytes at most.
        public let maxBytes: Int64
    }

    /// The files of a certificate.
    public struct WebTLS: Hashable, Sendable {
        /// The certificate, and those that lead to its authority.
        public let certificateFile: String
        /// Its private key.
        public let keyFile: String
    }

    /// How the receiver of a transport's address is spoken to over TLS.
    public struct TLSEndpoint: Hashable, Sendable {
        /// A PEM file of trusted authorities; nil for the system's.
        public let authorityFile: String?
        /// The certificate that is shown to the receiver; nil for none.
        public let certificateFile: String?
        /// Its private key; nil for none.
        public let keyFile: String?
    }

    /// Who looks at cameras.
    public struct ViewerSettings: Hashable, Sendable {
        /// How many see the live picture of one camera at a time, 1…200.
        public let limit: Int
        /// How long a session lasts unless it is extended, in milliseconds.
        public let durationMs: Int64
    }

    /// Where recordings are kept.
    public let storage: StorageSettings
    /// How much of the machines' trace is kept.
    public let trace: TraceSettings
    /// Whether the journal carries the steps of the machines too.
    public let journalsSteps: Bool
    /// Where HTTP listens; nil for no HTTP.
    public let listen: ListenAddress?
    /// HTTP over TLS; nil for none.
    public let webTLS: WebTLS?
    /// The Unix socket of the `vigil` commands.
    public let socket: String
    /// The site's time zone (IANA name).
    public let timeZone: String
    /// The cameras by name, in the order of the file.
    public let cameras: [Camera]
    /// Where named credentials are, by name, as far as the file says.
    public let credentials: [String: CredentialReference]
    /// Where clips are sent; nil where nothing is.
    public let cloud: CloudSettings?
    /// The receiver of the webhook; nil where there is none.
    public let webhook: WebhookSettings?
    /// Who can be told of events and problems, in the order of the file.
    public let receivers: [NotifyReceiver]
    /// The broker of MQTT; nil where there is none.
    public let mqtt: MQTTSettings?
    /// Live view by WebRTC.
    public let webrtc: WebRTCSettings
    /// The TLS endpoints of transports, by number, 1…65 534.
    public let tlsEndpoints: [Int: TLSEndpoint]

    /// The receiver of this name.
    public func receiver(_ name: String) -> NotifyReceiver? { receivers.first { $0.name == name } }

    /// The camera of this name.
    public func camera(_ name: String) -> Camera? { cameras.first { $0.name == name } }
}

extension Configuration {
    /// One camera.
    public struct Camera: Hashable, Sendable {
        /// How RTSP media travels.
        public enum Transport: String, Hashable, Sendable, CaseIterable {
            case tcp, udp
        }

        /// The order of the codes in G.726 sound: as the camera names it, or one whatever it says.
        public enum G726: String, Hashable, Sendable, CaseIterable {
            case auto, rfc3551, aal2
        }

        /// How the picture is turned for people, in degrees.
        public enum Rotation: Int, Hashable, Sendable, CaseIterable {
            case none = 0
            case half = 180
        }

        /// Which stream is looked at for motion.
        public enum Detection: String, Hashable, Sendable, CaseIterable {
            /// The sub-stream where there is one, else the main stream.
            case auto
            /// The main stream.
            case main
            /// The sub-stream, and the main stream only while it cannot be had.
            case sub
            /// None.
            case off
        }

        /// The addresses of one stream, by the way to reach the camera. At least one is there.
        public struct Addresses: Hashable, Sendable {
            /// In the local network.
            public let lan: SourceAddress?
            /// From outside.
            public let internet: SourceAddress?

            /// Whether the camera pushes this stream.
            public var isPushed: Bool { lan == .push || internet == .push }

            /// Whether it is a file's.
            public var isFile: Bool {
                [lan, internet].contains { if case .file = $0 { true } else { false } }
            }

            /// The address for an endpoint.
            public subscript(endpoint: Endpoint) -> SourceAddress? {
                switch endpoint {
                case .lan: lan
                case .internet: internet
                }
            }
        }

        /// How a certificate is checked.
        public struct TLS: Hashable, Sendable {
            /// What must fit.
            public enum Verification: String, Hashable, Sendable, CaseIterable {
                /// Authority and host name.
                case full
                /// The authority only.
                case chain
                /// Nothing.
                case none
            }

            /// A PEM file of trusted authorities; nil for the system's.
            public let authorityFile: String?
            /// What must fit.
            public let verification: Verification
        }

        /// Most masks of one camera.
        public static let maskLimit = 64

        /// A named part of the picture.
        public struct Area: Hashable, Sendable {
            /// Its name.
            public let name: String
            /// Its outline, a simple polygon.
            public let polygon: Polygon

            /// An area.
            public init(name: String, polygon: Polygon) {
                self.name = name
                self.polygon = polygon
            }
        }

        /// Its name.
        public let name: String
        /// The stream that is recorded.
        public let main: Addresses
        /// The smaller stream; nil when the main stream serves for everything.
        public let sub: Addresses?
        /// Which stream is looked at for motion.
        public let detection: Detection
        /// Which addresses are dialled.
        public let connect: ConnectMode
        /// The name of the credential; nil for no login.
        public let credential: String?
        /// A PEM file of the certificates with which may be pushed to it; nil for none.
        public let pushCertificatesFile: String?
        /// Whether the password may be sent in clear, to a camera that takes it no other way.
        public let allowsBasic: Bool
        /// The name of its policy, which exists in the same ``LoadedConfiguration``.
        public let policy: String
        /// The address at which it speaks ONVIF, `http:` or `https:`; nil where its own detector is not listened to.
        public let onvif: String?
        /// How RTSP media travels.
        public let transport: Transport
        /// The order of the codes in G.726 sound.
        public let g726: G726
        /// How the picture is turned.
        public let rotation: Rotation
        /// How its certificate is checked.
        public let tls: TLS
        /// The parts of the picture that policies may name, at most ``ZoneMap/zoneLimit``; their order gives their numbers.
        public let zones: [Area]
        /// The parts of the picture in which movement is never looked at.
        public let masks: [Area]
        /// Who looks at it: its own limit, else that of the site.
        public let viewers: ViewerSettings
        /// Whether recording is switched on when the camera is first seen.
        public let initiallyEnabled: Bool

        /// Whether it pushes some stream of its own.
        public var isPushed: Bool {
            [main, sub].contains { $0?.isPushed == true }
        }

        /// Zones and masks on a grid of cells.
        func zoneMap(columns: Int, rows: Int) -> ZoneMap {
            ZoneMap(columns: columns, rows: rows, zones: zones.map(\.polygon), masks: masks.map(\.polygon))
        }
    }
}
