internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Hands what URLSession tells of its tasks to those who wait for it.
final class URLSessionReceiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    /// Guards `bodies`.
    private let lock = NSLock()
    private var bodies: [Int: URLSessionBody] = [:]

    /// Begins a task; the body tells its head first.
    func receive(_ task: URLSessionDataTask, address: String) -> URLSessionBody {
        let body = URLSessionBody(task, address: address)
        lock.withLock { bodies[task.taskIdentifier] = body }
        task.resume()
        return body
    }

    private func body(of task: URLSessionTask) -> URLSessionBody? {
        lock.withLock { bodies[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        body(of: dataTask)?.began(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        body(of: dataTask)?.came(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        lock.withLock { bodies.removeValue(forKey: task.taskIdentifier) }?.ended(error)
    }

    /// A redirection would carry the token elsewhere.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
