import Hummingbird
import Logging
import NIOCore

extension RequestInput {
  /// Returns a body that `write` produces after the head of the response was sent. If it throws an error, the response
  /// is truncated, which its status no longer shows: the error is logged and counted.
  ///
  /// - Parameter contentLength: the length of the body in bytes; nil if it is unknown.
  func producedBody(
    contentLength: Int? = nil, _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
  ) -> ResponseBody {
    let (server, operation, channel) = (server, operation, channel)
    return ResponseBody(contentLength: contentLength) { writer in
      do {
        try await write(&writer)
      } catch {
        // A client that has closed the connection sees no truncated response.
        if channel.isActive, !(error is CancellationError) { server.noteAbortedResponse(error, operation) }
        throw error
      }
    }
  }
}

extension ServerState {
  /// Logs and counts an error that ended a response after its head was sent.
  fileprivate func noteAbortedResponse(_ error: any Error, _ operation: String) {
    metrics.recordAbortedResponse(operation)
    let problem = Problem(error, limits: options.limits)
    let metadata: Logger.Metadata = [
      "operation": "\(operation)", "error": "\((error as? Problem)?.detail ?? "\(error)")",
    ]
    logger.log(level: problem.concernsServer ? .error : .info, "a response was aborted", metadata: metadata)
  }
}
