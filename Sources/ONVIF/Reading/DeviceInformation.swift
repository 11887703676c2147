internal import XML

/// What a device says that it is (GetDeviceInformation). Each text is one line of at most 64 scalars; nil where it says none.
package struct DeviceInformation: Hashable, Sendable, Codable {
    /// Who makes it.
    package let manufacturer: String?
    /// Which model it is.
    package let model: String?
    /// The version of its firmware.
    package let firmware: String?
    /// Its serial number.
    package let serialNumber: String?

    /// Reads an answer.
    init(_ response: XMLNode) {
        manufacturer = response.text("Manufacturer")?.line(max: 64)
        model = response.text("Model")?.line(max: 64)
        firmware = response.text("FirmwareVersion")?.line(max: 64)
        serialNumber = response.text("SerialNumber")?.line(max: 64)
    }
}
