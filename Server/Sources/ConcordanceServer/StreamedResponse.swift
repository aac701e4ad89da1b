import AsyncAlgorithms
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Receives the parts of a streamed body. A part is accepted when the client has taken the part before it.
struct StreamSink: Sendable {
  fileprivate let parts: AsyncThrowingChannel<ByteBuffer, any Error>

  /// Sends a part.
  ///
  /// - Throws: `CancellationError` if the client has closed the connection or the server shuts down.
  func send(_ part: ByteBuffer) async throws {
    await parts.send(part)
    try Task.checkCancellation()
  }

  func send(_ text: String) async throws { try await send(ByteBuffer(string: text)) }
}

extension RequestInput {
  /// Returns a response whose body is written by `produce` in a task of its own. The task is cancelled if the client
  /// closes the connection or the server shuts down; the body then ends.
  func streamedResponse(
    _ mediaType: String, headers: HTTPFields = [:], _ produce: @escaping @Sendable (StreamSink) async throws -> Void
  ) -> Response {
    var headers = headers
    headers[.contentType] = mediaType
    let (connections, channel) = (server.connections, channel)
    let body = ResponseBody { writer in
      let parts = AsyncThrowingChannel<ByteBuffer, any Error>()
      let task = Task {
        do {
          try await produce(StreamSink(parts: parts))
          parts.finish()
        } catch is CancellationError {
          parts.finish()
        } catch {
          parts.fail(error)
        }
      }
      let registration = connections.add(channel) { task.cancel() }
      defer {
        connections.remove(registration)
        task.cancel()
      }
      try await withTaskCancellationOrGracefulShutdownHandler {
        for try await part in parts { try await writer.write(part) }
      } onCancelOrGracefulShutdown: {
        task.cancel()
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }
}
