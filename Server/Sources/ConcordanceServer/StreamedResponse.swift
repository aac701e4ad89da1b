import AsyncAlgorithms
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization

/// Receives the parts of a streamed body. A part is accepted once the previous part has been written to the client.
struct StreamSink: Sendable {
  /// The size in bytes from which a part is sent: each part waits until the connection has taken it.
  static let partSize = 16 << 10

  fileprivate let parts: AsyncThrowingChannel<ByteBuffer, any Error>

  /// Sends a part.
  ///
  /// - Throws: `CancellationError` if the client has closed the connection or the server is shutting down.
  func send(_ part: ByteBuffer) async throws {
    await parts.send(part)
    try Task.checkCancellation()
  }

  func send(_ text: String) async throws { try await send(ByteBuffer(string: text)) }
}

extension RequestInput {
  /// Returns a response whose body `produce` writes in a separate task. If the client closes the connection, the task
  /// is cancelled.
  ///
  /// - Parameter endsWithServer: whether the task is also cancelled when the server shuts down. The body then ends as
  ///   if it were complete. Otherwise, the shutdown waits for the task, and the client sees a truncated body as an
  ///   error.
  func streamedResponse(
    _ mediaType: String, headers: HTTPFields = [:], endsWithServer: Bool = false,
    _ produce: @escaping @Sendable (StreamSink) async throws -> Void
  ) -> Response {
    var headers = headers
    headers[.contentType] = mediaType
    let (connections, channel) = (server.connections, channel)
    let body = producedBody { writer in
      let parts = AsyncThrowingChannel<ByteBuffer, any Error>()
      let task = Task(executorPreference: EventLoopExecutor.of(channel.eventLoop)) {
        do {
          try await produce(StreamSink(parts: parts))
          parts.finish()
        } catch is CancellationError where endsWithServer {
          parts.finish()
        } catch {
          parts.fail(error)
        }
      }
      // A client that has ended its half of the connection may still read a response. It does so while parts are being
      // written, because writing to a connection that the client has closed closes it here, too. An event stream may
      // have no parts for a long time.
      let hasProgress = Mutex(false)
      let continues: @Sendable () -> Bool = {
        let isWritten = hasProgress.withLock { hasProgress in
          defer { hasProgress = false }
          return hasProgress
        }
        return isWritten || !channel.isWritable
      }
      let registration = connections.add(channel, onHalfClose: endsWithServer ? .cancel : .cancelUnless(continues)) {
        task.cancel()
      }
      defer {
        connections.remove(registration)
        task.cancel()
        // No more parts are received. Without this call, the task would wait forever to send its last part.
        parts.finish()
      }
      try await withTaskCancellationHandler {
        try await withGracefulShutdownHandler {
          for try await part in parts {
            try await writer.write(part)
            hasProgress.withLock { $0 = true }
          }
        } onGracefulShutdown: {
          if endsWithServer { task.cancel() }
        }
      } onCancel: {
        task.cancel()
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }
}
