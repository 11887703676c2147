internal import Foundation
internal import MQTT
internal import Machines
internal import Media
internal import ONVIF
internal import ObjectStore
internal import Policies
internal import Server
internal import WebRTC

/// What Vigil needs besides its cameras. Each part is the sum of bounds that have a name where the work is done.
extension SiteNeed {
    /// Those that `configuration` has a use for.
    static func parts(_ configuration: Configuration, _ rules: [CloudRules]) -> [Camera] {
        var parts = [
            Camera(name: "catalog, API and detection", need: core(configuration)),
            Camera(name: "viewers", need: viewers(configuration)), Camera(name: "playback", need: playback),
        ]
        if !configuration.cameras.isEmpty {
            parts.append(Camera(name: "transports that push", need: pushers(configuration.cameras.count)))
        }
        if let cloud = configuration.cloud {
            parts.append(Camera(name: "uploads", need: uploads(cloud)))
            parts.append(Camera(name: "cache of the cloud", need: cache))
            let encodings = rules.map(\.encode.sizes).filter { !$0.isEmpty }
            if cloud.encoder == nil, !encodings.isEmpty {
                parts.append(Camera(name: "encoder", need: encoder(encodings)))
            }
        }
        if configuration.webrtc.listen != .none, configuration.webrtc.listen != .asHTTP || configuration.listen != nil {
            parts.append(Camera(name: "WebRTC", need: webrtc))
        }
        if configuration.webhook != nil { parts.append(Camera(name: "webhook", need: webhook)) }
        let receivers = configuration.receivers.count
        if receivers > 0 { parts.append(Camera(name: "notifications", need: notifications(receivers))) }
        let devices = configuration.cameras.count { $0.onvif != nil }
        if devices > 0 { parts.append(Camera(name: "ONVIF", need: onvif(devices))) }
        if configuration.mqtt != nil { parts.append(Camera(name: "MQTT", need: mqtt(configuration.cameras.count))) }
        return parts
    }

    /// The listeners that the configuration asks for.
    private static func listeners(_ configuration: Configuration) -> [ListenerBounds] {
        configuration.listen == nil ? [.control] : [.control, .web]
    }

    /// Catalog, trace, requests and explanations; the event loops, the cooperative pool and the detectors have a thread for each
    /// processor, and the process some twenty of its own.
    private static func core(_ configuration: Configuration) -> Amount {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let connections = listeners(configuration).reduce(0) { $0 + $1.connections }
        return Amount(
            memoryBytes: 512 << 20,
            threads: Blocking.requestsMax + Blocking.ownMax + ExplanationBounds.concurrentMax + 20 + 4 * processors,
            files: 128 + 2 * Blocking.requestsMax + connections)
    }

    /// What viewers have of their own: the frames that wait for them are their camera's. Their connections are among the listeners'.
    private static func viewers(_ configuration: Configuration) -> Amount {
        let wanted = configuration.cameras.reduce(0) { $0 + $1.viewers.limit }
        let most = min(wanted, listeners(configuration).reduce(0) { $0 + $1.viewers })
        return Amount(
            memoryBytes: most * CameraStream.viewerBytes + PictureThreads.threads * DecoderNeed.bytesMax
                + FrameReaders.memoryBytes,
            threads: PictureThreads.threads + FrameReaders.threads + FrameReaders.returningThreads, files: 0)
    }

    /// Movies, exports and pictures of what was recorded.
    private static let playback: Amount = {
        let decoders = Blocking.thumbnailsMax + Blocking.picturesMax
        let readers = Playback.placesMost + Exports.placesMost
        return Amount(
            memoryBytes: Movies.bytesMax + decoders * DecoderNeed.bytesMax + readers * 2 * Export.chunkBytes,
            threads: Blocking.playingMax + Blocking.planningMax + decoders + Exports.placesMost,
            files: 2 * (readers + decoders))
    }()

    /// Transports are kept in the catalog, so the configuration does not say how many push: one of each camera is counted, with a queue
    /// and a connection, and those that are gone and still put what waits.
    private static func pushers(_ cameras: Int) -> Amount {
        let most = cameras + TransportPushers.closingMax
        return Amount(
            memoryBytes: max(TransportPushers.bytesMax, most * TransportPushers.bytesLeast)
                + most * TransportPusher.bytesMax,
            threads: most, files: most)
    }

    /// Transfers, each with a file; the connections are those of the store's client, and one to the provider or the encoder.
    private static func uploads(_ cloud: CloudSettings) -> Amount {
        Amount(
            memoryBytes: cloud.parallel * UploadTransfer.memoryBytes, threads: ObjectStore.threadsMax,
            files: cloud.parallel + CloudStore.connections(cloud.parallel) + 2)
    }

    /// Ranges that are being read or wait to be.
    private static let cache = Amount(
        memoryBytes: (Blocking.fetchesMax + Blocking.fetchesWaitingMax) * CloudCache.rangeBytes,
        threads: Blocking.fetchesMax, files: Blocking.fetchesMax)

    /// One clip at a time, in the sizes that take most.
    private static func encoder(_ encodings: [[Rendition]]) -> Amount {
        Amount(
            memoryBytes: encodings.map(ClipEncoder.bytesMax).max() ?? 0, threads: 1,
            // The clip's tracks, and a file of each size and of sound.
            files: 3 + (encodings.map(\.count).max() ?? 0))
    }

    /// For each device a connection for its events and one for turning it, and of the longest answer its bytes and what is read of
    /// them.
    private static func onvif(_ devices: Int) -> Amount {
        Amount(memoryBytes: 2 * devices * DeviceClient.answerBytesMax, threads: 0, files: 2 * devices)
    }

    /// A connection, one that takes away what was published before, a picture on its way and the next one, and what is published of
    /// each camera.
    private static func mqtt(_ cameras: Int) -> Amount {
        Amount(
            memoryBytes: 2 * BrokerConnection.bytesMax + 2 * MQTTService.pictureBytesMax
                + cameras * MQTTSession.cameraBytes,
            threads: 0, files: 2)
    }

    /// What viewers may ask for again; one thread with a socket, and what wakes it. Beside it the loudspeakers that are talked
    /// through, and those that are asked for.
    private static let webrtc: Amount = {
        let channels = Sessions.talksMax + Loudspeakers.asksMax
        return Amount(
            memoryBytes: PeerLimits.memoryBytes + channels * BackChannel.bytesMax,
            threads: 1 + channels * BackChannel.threads, files: 2 + channels * BackChannel.descriptors)
    }()

    /// A message on its way to each receiver, and the pictures that are kept.
    private static func notifications(_ receivers: Int) -> Amount {
        Amount(
            memoryBytes: receivers * Notifier.messageBytes + MessagePictures.keptMax * MessagePictures.bytesMax,
            threads: 0, files: receivers)
    }

    /// Messages on their way.
    private static let webhook = Amount(
        memoryBytes: WebhookGate.parallel * WebhookGate.messageBytes, threads: 0, files: WebhookGate.parallel)
}
