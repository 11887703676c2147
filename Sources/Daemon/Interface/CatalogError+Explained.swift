package import Catalog
package import Server

extension CatalogError: ExplainedError {
    /// What a caller is told of it.
    package var explained: SiteError {
        let kind: SiteError.Kind =
            switch cause {
            case .busy, .full, .readOnly, .io, .unreachable: .unavailable
            default: .failed
            }
        return SiteError(kind, what: "the daemon could not answer", why: "\(path): \(reason)", remedy: hint)
    }
}
