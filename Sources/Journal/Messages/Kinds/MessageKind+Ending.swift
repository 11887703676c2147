extension MessageKind {
    /// The kinds that hold until this one says that they are over; empty where it ends nothing.
    public var ends: [MessageKind] {
        switch self {
        case .linkStreaming: [.linkLost, .linkFailed, .noKeyFrame, .cameraUnreachable]
        case .cameraReachable: [.cameraUnreachable]
        case .substreamBack, .substreamStreaming: [.substreamLost]
        case .pictureRestored: [.pictureImpaired]
        case .detectionWhole: [.detectionLimited]
        // A clip opens on a key frame.
        case .clipOpened: [.clipOpenFailed, .writeFailed, .noKeyFrame]
        case .storageOk: [.storageLow, .storageLost]
        case .storeReachable: [.storeUnreachable, .storeRefused]
        case .cloudKeyUsable: [.cloudKeyUnusable]
        case .storageLow: [.storageLost]
        case .storageLost: [.storageLow]
        case .limitClear: [.limitNear]
        case .traceResumed: [.traceFailed]
        case .planLoaded: [.planLoadFailed]
        case .webhookWorking: [.webhookFailing]
        case .receiverWorking, .receiverRemoved: [.receiverFailing]
        case .mqttConnected: [.mqttLost]
        case .configurationLoaded: [.configurationRefused]
        default: []
        }
    }

    /// Whether it holds until another kind, or the next start, ends it; what does not hold has happened, and is over.
    public var holds: Bool { self == .listenerFailed || Self.held.contains(self) }

    /// The field that tells apart what one kind says of several things that may hold at a time; nil: there is only one.
    public var subject: Field? {
        switch self {
        case .pictureImpaired, .pictureRestored, .limitNear, .limitClear: .why
        case .listenerFailed: .path
        case .receiverFailing, .receiverWorking, .receiverRemoved: .receiver
        default: nil
        }
    }

    /// What the operator should do, where the same holds for each record of the kind; nil where it depends on its fields.
    public var remedy: String? { entry.remedy.contains("@") ? nil : entry.remedy.replacing("\n", with: " ") }

    private static let held = Set(allCases.flatMap(\.ends))
}
