extension StoreError: CustomStringConvertible {
    /// Operation, subject, cause, what the store said, and what to do about it: one line.
    public var description: String {
        let subject = key.map { "\(bucket)/\(ErrorAnswer.line($0) ?? "")" } ?? bucket
        let facts = [status.map { "HTTP \($0)" }, code, message].compactMap { $0 }.joined(separator: ", ")
        return "\(operation.rawValue) \(subject): \(reason)\(facts.isEmpty ? "" : " (\(facts))"); \(remedy)"
    }

    /// The cause in words.
    public var reason: String {
        switch cause {
        case .unreachable(let why): "the store cannot be reached: \(why)"
        case .tls(let why): "the store is not trusted: \(why)"
        case .refused: "the store refused it"
        case .skewed(let seconds):
            "the clocks of this machine and of the store differ too much"
                + (seconds.map { "; the store's says \(ServerTime(clamping: $0).iso)" } ?? "")
        case .wrongRegion(let region):
            region.map { "the bucket is in the region \($0)" } ?? "the bucket is in another region"
        case .noBucket: "there is no such bucket"
        case .notFound: operation.isAboutUpload ? "there is no such upload" : "there is no such object"
        case .exists: "there is such an object already"
        case .preconditionFailed: "the object is not the one that was asked for"
        case .full: "the store has no room left"
        case .slowDown(let seconds):
            "the store wants fewer requests" + (seconds.map { "; again in \($0) s" } ?? "")
        case .server: "the store failed"
        case .mismatch(let what): "the bytes differ: \(what)"
        case .invalid(let what): what
        case .source(let what): "what was to be sent: \(what)"
        case .noCredentials(let why): "no credentials: \(why)"
        }
    }

    /// What whoever operates the recorder can do.
    public var remedy: String {
        switch cause {
        case .unreachable: "check the endpoint's address, the network and the store; it may be tried again"
        case .tls: "check the endpoint's address and this machine's clock, or name the store's own CA"
        case .refused where code == "SignatureDoesNotMatch":
            "check the secret access key, the region, and what stands between this machine and the store"
        case .refused where code == "InvalidAccessKeyId" || code == "ExpiredToken" || code == "InvalidToken":
            "check the access key's id, or renew the credentials"
        case .refused: "give these credentials the right to do this, or name others"
        case .skewed: "set this machine's clock (timedatectl), and see that it is kept by NTP"
        case .wrongRegion: "name the bucket's region in the configuration"
        case .noBucket: "make the bucket, or correct its name"
        case .notFound: operation.isAboutUpload ? "begin the upload anew" : "nothing may be there any more"
        case .exists: "it is left as it is; choose another key to keep both"
        case .preconditionFailed: "ask for the object anew"
        case .full: "make room in the store, or raise the quota"
        case .slowDown: "it may be tried again later; use fewer transfers at a time"
        case .server: "see the store's own log; it may be tried again"
        case .mismatch: "send it again; if that repeats, check the memory of both machines and what stands between them"
        case .invalid: "check that the endpoint is an S3-compatible store, and which version it has"
        case .source: "check the disk that it is read from"
        case .noCredentials: "give credentials that can be read, and check who may read them"
        }
    }

    /// Whether the same request may succeed later without anybody's help.
    public var mayPass: Bool {
        switch cause {
        case .unreachable, .slowDown, .server, .mismatch: true
        case .tls, .refused, .skewed, .wrongRegion, .noBucket, .notFound, .exists, .preconditionFailed, .full, .invalid,
            .source, .noCredentials:
            false
        }
    }
}

extension StoreOperation {
    /// Whether what may be missing is an upload, and no object.
    var isAboutUpload: Bool {
        switch self {
        case .uploadPart, .listParts, .completeUpload, .abortUpload: true
        case .headObject, .getObject, .putObject, .deleteObject, .deleteObjects, .listObjects, .createUpload,
            .listUploads:
            false
        }
    }
}
