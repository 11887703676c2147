internal import XML

/// A subscription to a device's events, from which its messages are pulled (ONVIF Core, 9.2).
package struct PullPoint: Hashable, Sendable {
    /// Where it is asked.
    let address: ServiceAddress
    /// Its address as the device names it.
    private let named: String
    /// What the device wants to have back in each request's head, as XML: some tell subscriptions apart by it alone.
    private let parameters: String
    /// How much of that is taken, in bytes.
    static let parametersMax = 4_096

    /// Reads the answer that made it; nil where it names no place.
    init?(_ response: XMLNode, on device: ServiceAddress) {
        guard let reference = response.child("SubscriptionReference"),
            let text = reference.text("Address")?.trimmed, let named = ServiceAddress(text)
        else { return nil }
        address = device.service(named)
        self.named = text
        let mark = " xmlns:a=\"\(Self.addressing)\" a:IsReferenceParameter=\"true\""
        var parameters = ""
        for child in reference.child("ReferenceParameters")?.children ?? [] {
            guard let markup = child.markup(with: mark, max: Self.parametersMax - parameters.utf8.count) else {
                return nil
            }
            parameters += markup
        }
        self.parameters = parameters
    }

    private static let addressing = "http://www.w3.org/2005/08/addressing"

    /// What a request to it has in its head, as XML (WS-Addressing 1.0).
    func header(for operation: Operation) -> String {
        let space = "xmlns:a=\"\(Self.addressing)\""
        return "<a:To \(space)>\(XMLNode.escaped(named))</a:To><a:Action \(space)>\(operation.action)</a:Action>"
            + parameters
    }
}

extension DeviceClient {
    /// How long a subscription holds unless it is renewed, in seconds.
    package static let subscriptionSeconds = 120
    private static let notification = "http://docs.oasis-open.org/wsn/b-2"

    /// Subscribes to all events.
    package func subscribe() async throws(ONVIFError) -> PullPoint {
        let operation = Operation(
            "CreatePullPointSubscription", of: .events,
            content: "<t:InitialTerminationTime>PT\(Self.subscriptionSeconds)S</t:InitialTerminationTime>",
            action: DeviceServices.Kind.events.namespace + "/EventPortType/CreatePullPointSubscriptionRequest")
        let response = try await ask(operation)
        guard let point = PullPoint(response, on: address) else {
            throw ONVIFError(
                .foreign, operation.name, of: address.authority, "the device names no place to pull its events from",
                remedy: "look for newer firmware")
        }
        return point
    }

    /// Waits for at most `seconds` until there are messages, and takes at most 64 of them.
    package func pull(_ point: PullPoint, seconds: Int) async throws(ONVIFError) -> [DeviceNotification] {
        DeviceNotification.read(
            try await ask(
                Operation(
                    "PullMessages", of: .events,
                    content: "<t:Timeout>PT\(seconds)S</t:Timeout><t:MessageLimit>64</t:MessageLimit>",
                    action: DeviceServices.Kind.events.namespace + "/PullPointSubscription/PullMessagesRequest"),
                of: point))
    }

    /// Asks for the state of every property anew; it comes with the next pull.
    package func synchronize(_ point: PullPoint) async throws(ONVIFError) {
        _ = try await ask(
            Operation(
                "SetSynchronizationPoint", of: .events,
                action: DeviceServices.Kind.events.namespace + "/PullPointSubscription/SetSynchronizationPointRequest"),
            of: point)
    }

    /// Lets a subscription hold for ``subscriptionSeconds`` from now on.
    package func renew(_ point: PullPoint) async throws(ONVIFError) {
        _ = try await ask(
            Operation(
                "Renew", of: .events, content: "<t:TerminationTime>PT\(Self.subscriptionSeconds)S</t:TerminationTime>",
                action: "http://docs.oasis-open.org/wsn/bw-2/SubscriptionManager/RenewRequest",
                namespace: Self.notification),
            of: point)
    }

    /// Ends a subscription as far as the device answers within 2 s, also where the task is cancelled: a device has room for few.
    package func unsubscribe(_ point: PullPoint) async {
        let operation = Operation(
            "Unsubscribe", of: .events,
            action: "http://docs.oasis-open.org/wsn/bw-2/SubscriptionManager/UnsubscribeRequest",
            namespace: Self.notification)
        _ = await Task { try? await ask(operation, of: point, within: 2_000) }.value
    }
}
