internal import XML

/// Which services a device has, and where it says that they are.
package struct DeviceServices: Hashable, Sendable {
    /// A service that Vigil knows of.
    package enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        case device, media, media2, events, imaging, ptz, deviceIO, recording, search, replay, analytics

        /// Its namespace, which GetServices names it by.
        package var namespace: String {
            switch self {
            case .device: "http://www.onvif.org/ver10/device/wsdl"
            case .media: "http://www.onvif.org/ver10/media/wsdl"
            case .media2: "http://www.onvif.org/ver20/media/wsdl"
            case .events: "http://www.onvif.org/ver10/events/wsdl"
            case .imaging: "http://www.onvif.org/ver20/imaging/wsdl"
            case .ptz: "http://www.onvif.org/ver20/ptz/wsdl"
            case .deviceIO: "http://www.onvif.org/ver10/deviceIO/wsdl"
            case .recording: "http://www.onvif.org/ver10/recording/wsdl"
            case .search: "http://www.onvif.org/ver10/search/wsdl"
            case .replay: "http://www.onvif.org/ver10/replay/wsdl"
            case .analytics: "http://www.onvif.org/ver20/analytics/wsdl"
            }
        }

        /// The element that GetCapabilities has for it.
        fileprivate var capability: String {
            switch self {
            case .device: "Device"
            case .media: "Media"
            case .media2: "Media2"
            case .events: "Events"
            case .imaging: "Imaging"
            case .ptz: "PTZ"
            case .deviceIO: "DeviceIO"
            case .recording: "Recording"
            case .search: "Search"
            case .replay: "Replay"
            case .analytics: "Analytics"
            }
        }
    }

    /// The address of each, as the device names it.
    package private(set) var addresses: [Kind: ServiceAddress] = [:]

    /// Reads an answer of GetServices or GetCapabilities. Of two of one kind the first counts.
    init(_ response: XMLNode) {
        for service in response.all("Service") {
            let namespace = service.text("Namespace")?.trimmed
            note(Kind.allCases.first { $0.namespace == namespace }, service)
        }
        guard let capabilities = response.child("Capabilities") else { return }
        for node in capabilities.children + (capabilities.child("Extension")?.children ?? []) {
            note(Kind.allCases.first { $0.capability == node.name }, node)
        }
    }

    private mutating func note(_ kind: Kind?, _ node: XMLNode) {
        guard let kind, addresses[kind] == nil, let text = node.text("XAddr")?.trimmed else { return }
        addresses[kind] = ServiceAddress(text)
    }
}
