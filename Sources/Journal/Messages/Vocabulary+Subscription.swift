public import Machines

extension Vocabulary {
    /// What the user is told of a camera's cloud plan: the same words in the journal, in answers, and wherever people read it.
    public static func words(_ report: Subscription.Report) -> String {
        switch report {
        case .noService: "no cloud plan"
        case .noData: "plan active, no recordings in the cloud yet"
        case .validData: "plan active, recordings in the cloud"
        case .expiredNoData: "plan ended, no recordings in the cloud"
        case .expiredData: "plan ended, recordings still in the cloud"
        case .loadFailed: "plan could not be checked"
        }
    }

    /// Why plans could not be loaded.
    public static func words(_ failure: Subscription.LoadFailure) -> String {
        switch failure {
        case .unreachable: "the service does not answer"
        case .unauthorized: "the service refuses the login"
        case .refused: "the service refuses to answer"
        case .invalid: "the answer cannot be understood"
        }
    }
}
