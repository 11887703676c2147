/// Adds a camera to vigil.yaml, in the text, proven by parsing, and refused where it cannot be proven.
public enum CameraEditor {
    /// A camera to add.
    public struct NewCamera: Hashable, Sendable {
        /// Its name: small letters, digits, `-` and `_`.
        public var name: String
        /// The address of its main stream.
        public var main: String
        /// The address of its sub-stream; nil: none.
        public var sub: String?
        /// The address of its device; nil: it is not asked by ONVIF.
        public var onvif: String?
        /// The name of its login; nil: it needs none.
        public var credential: String?
        /// Where the login is kept, relative to the file's folder; nil: the name is known already.
        public var credentialFile: String?
        /// The name of its policy.
        public var policy: String

        /// A camera.
        public init(
            name: String, main: String, sub: String? = nil, onvif: String? = nil, credential: String? = nil,
            credentialFile: String? = nil, policy: String
        ) {
            (self.name, self.main, self.sub, self.onvif) = (name, main, sub, onvif)
            (self.credential, self.credentialFile, self.policy) = (credential, credentialFile, policy)
        }
    }

    /// What is wrong with a name of a camera or of a login; nil where it is one.
    public static func fault(inName name: String) -> (reason: String, remedy: String)? {
        ValueForm.name.fault(name).map { ($0.reason, $0.remedy) }
    }

    /// The text with the camera, and its login's place where it is new; nothing else is changed. What the values mean is checked by
    /// the loader. Blocking, for as long as parsing takes. Throws an ``EditProblem``; `refused` where there is such a camera or login.
    public static func add(
        _ text: String, _ camera: NewCamera, file: String = "vigil.yaml"
    ) throws(EditProblem) -> String {
        let place: [KeyPath.Step] = [.key("cameras"), .key(camera.name)]
        guard text.utf8.count <= ConfigurationEdit.maxBytes, fault(inName: camera.name) == nil else {
            throw .tooInvolved(keyPath: "cameras")
        }
        let before = try YAMLReader.item(text, file: file)
        guard before.at(place[...]) == nil else { throw .tooInvolved(keyPath: KeyPath(place).description) }
        var pairs = ["main: \(YAMLText.quoted(camera.main))"]
        if let sub = camera.sub { pairs.append("sub: \(YAMLText.quoted(sub))") }
        if let onvif = camera.onvif { pairs.append("onvif: \(YAMLText.quoted(onvif))") }
        if let credential = camera.credential { pairs.append("credential: \(YAMLText.quoted(credential))") }
        pairs.append("policy: \(YAMLText.quoted(camera.policy))")
        var changed = try ConfigurationEdit.change(text, place, to: "{ \(pairs.joined(separator: ", ")) }", file)
        if let name = camera.credential, let kept = camera.credentialFile {
            let place: [KeyPath.Step] = [.key("credentials"), .key(name)]
            guard fault(inName: name) == nil, before.at(place[...]) == nil else {
                throw .tooInvolved(keyPath: "credentials.\(name.prefix(64))")
            }
            changed = try ConfigurationEdit.change(changed, place, to: "{ file: \(YAMLText.quoted(kept)) }", file)
        }
        return changed
    }
}
