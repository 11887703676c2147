import Glibc

@testable import Media

/// What can be attacked: each takes any bytes, and holds its properties or ends the process.
enum Target: String, CaseIterable {
    case rtsp, sdp
    case rtpH264 = "rtp-h264"
    case rtpH265 = "rtp-h265"
    case rtpAAC = "rtp-aac"
    case rtpLATM = "rtp-latm"
    case rtpG711 = "rtp-g711"
    case rtcp, parameters, mp4, clip, index, file, yaml, policy, http, login, websocket, times, range, journal, trace,
        kit, store, plan, encoder, mqtt, webrtc, onvif
    case clipDescription = "clipdescription"
    case encryption, cmaf

    /// The one that the environment names.
    static let chosen: Target = {
        let name = getenv("VIGIL_FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = Target(rawValue: name) else {
            complain("fuzz: VIGIL_FUZZ_TARGET names no target: \(name)\n")
            exit(2)
        }
        return target
    }()

    /// What is done once.
    func prepare() {
        LibavProcess.prepare()
        setenv("TZ", "UTC", 1)
    }

    /// One input.
    func run(_ bytes: UnsafeRawBufferPointer) {
        switch self {
        case .rtsp: RTSPTarget.run(bytes)
        case .sdp: SDPTarget.run(bytes)
        case .rtpH264, .rtpH265, .rtpAAC, .rtpLATM, .rtpG711: RTPTarget.run(bytes, self)
        case .rtcp: RTCPTarget.run(bytes)
        case .parameters: ParameterTarget.run(bytes)
        case .mp4: MP4Target.run(bytes)
        case .clip: ClipTarget.run(bytes)
        case .index: IndexTarget.run(bytes)
        case .file: FileTarget.run(bytes)
        case .yaml: YAMLTarget.run(bytes)
        case .policy: PolicyTarget.run(bytes)
        case .http: HTTPTarget.run(bytes)
        case .login: LoginTarget.run(bytes)
        case .websocket: WebSocketTarget.run(bytes)
        case .times: TimeTarget.run(bytes)
        case .range: RangeTarget.run(bytes)
        case .journal: JournalTarget.run(bytes)
        case .trace: TraceTarget.run(bytes)
        case .kit: KitTarget.run(bytes)
        case .store: StoreTarget.run(bytes)
        case .plan: PlanTarget.run(bytes)
        case .encoder: EncoderTarget.run(bytes)
        case .mqtt: MQTTTarget.run(bytes)
        case .webrtc: WebRTCTarget.run(bytes)
        case .onvif: ONVIFTarget.run(bytes)
        case .clipDescription: ClipDescriptionTarget.run(bytes)
        case .encryption: EncryptionTarget.run(bytes)
        case .cmaf: CMAFTarget.run(bytes)
        }
    }
}
