extension CallerInfo {
    /// What `principal` may.
    init(_ principal: Principal) {
        let name =
            switch principal.caller {
            case .token(let name, _): name
            case .process, .broker: "\(principal.caller)"
            }
        self.init(name: name, right: principal.right, cameras: principal.cameras.names)
    }
}
