/// What a device is asked: an operation of one of its services.
package struct Operation: Hashable, Sendable {
    /// Its name in the standard, such as `GetProfiles`.
    package let name: String
    /// The service that has it.
    package let service: DeviceServices.Kind
    /// What stands in its element, as XML. The prefix `t` is the operation's namespace, `tt` the one of ONVIF's types.
    package let content: String
    /// What names the operation in the field `Content-Type` (SOAP 1.2, part 2, 6.5.3).
    package let action: String
    /// The namespace of its element.
    package let namespace: String

    /// An operation; whatever of `content` comes from elsewhere is escaped already. `action` and `namespace` are those of the service
    /// unless said otherwise.
    package init(
        _ name: String, of service: DeviceServices.Kind, content: String = "", action: String? = nil,
        namespace: String? = nil
    ) {
        (self.name, self.service, self.content) = (name, service, content)
        self.action = action ?? "\(service.namespace)/\(name)"
        self.namespace = namespace ?? service.namespace
    }

    /// The whole request; `header` is what stands in its head.
    package func envelope(header: String = "") -> String {
        let head = header.isEmpty ? "" : "<s:Header>\(header)</s:Header>"
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
            + "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\" xmlns:t=\"\(namespace)\" "
            + "xmlns:tt=\"http://www.onvif.org/ver10/schema\">\(head)<s:Body><t:\(name)>\(content)</t:\(name)></s:Body></s:Envelope>"
    }
}
