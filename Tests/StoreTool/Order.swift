import Foundation
import ObjectStore

/// What one line on standard input asks for.
struct Order: Decodable {
    var order: String
    // Where the store is, and how it is spoken to.
    var endpoint: String?
    var region: String?
    var bucket: String?
    var style: String?
    var id: String?
    var secret: String?
    var token: String?
    var checksum: String?
    var ca: String?
    var quiet: Int?
    var connect: Int?
    var rate: Int?
    // What is done there.
    var key: String?
    var keys: [String]?
    var file: String?
    var from: UInt64?
    var to: UInt64?
    var etag: String?
    var limit: UInt64?
    var type: String?
    var metadata: [String: String]?
    var new: Bool?
    var read: Bool?
    var prefix: String?
    var delimiter: String?
    var max: Int?
    var upload: String?
    var partBytes: UInt64?
    var parallel: Int?
    /// After how many bytes a transfer is cancelled.
    var cancelAt: UInt64?
    // What is signed.
    var method: String?
    var path: String?
    var query: [[String]]?
    var headers: [[String]]?
    var payload: String?
    var time: Int64?
    var expires: Int?

    /// The credentials; throws where they are none.
    func credentials() throws -> Credentials {
        guard let made = Credentials(accessKeyID: id ?? "", secretAccessKey: secret ?? "", sessionToken: token) else {
            throw Complaint("no credentials")
        }
        return made
    }

    /// A client of the store.
    func store() throws -> ObjectStore {
        let address = try StoreAddress(
            endpoint: endpoint ?? "", region: region ?? "us-east-1", bucket: bucket ?? "",
            style: style == "virtual" ? .virtualHost : .path)
        var configuration = StoreConfiguration(address: address)
        configuration.checksum = checksum.flatMap(ChecksumAlgorithm.init) ?? .crc32c
        configuration.caFile = ca
        configuration.quietSecondsMax = quiet ?? 60
        configuration.connectSecondsMax = connect ?? 10
        configuration.bandwidth = rate.map { BandwidthLimit(bytesPerSecond: $0) }
        return ObjectStore(configuration, credentials: .values(try credentials()))
    }

    /// What goes along with an object.
    var options: PutOptions {
        var options = PutOptions()
        options.contentType = type
        options.metadata = metadata ?? [:]
        options.onlyIfNew = new ?? false
        options.verification = read == true ? .read : .told
        return options
    }

    /// The range to read.
    var range: Range<UInt64>? {
        guard let from, let to, from <= to else { return nil }
        return from..<to
    }
}

/// Why an order cannot be carried out.
struct Complaint: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
