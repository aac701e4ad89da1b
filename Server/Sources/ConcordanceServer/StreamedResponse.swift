import AsyncAlgorithms
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Receives the parts of a streamed body. A part is accepted once the previous part has been written to the client.
struct StreamSink: Sendable {
  fileprivate let parts: AsyncThrowingChannel<ByteBuffer, any Error>

  /// Sends a part.
  ///
  /// - Throws: `CancellationError` if the client has closed the connection or the server is shutting down.
  func send(_ part: ByteBuffer) async throws {
    await parts.send(part)
    try Task.checkCancellation()
  }

  /// Sends the last part, even if the server is shutting down.
  func sendLast(_ part: ByteBuffer) async {
    // A channel does not accept parts from a cancelled task.
    await Task { [parts] in await parts.send(part) }.value
  }

  func send(_ text: String) async throws { try await send(ByteBuffer(string: text)) }
}

extension RequestInput {
  /// Returns a response whose body `produce` writes in a separate task. If the client closes the connection, the task
  /// is cancelled. The connection is closed if the client does not read a part within the query time limit, except in
  /// streams that end with the server.
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
    let limit = endsWithServer ? nil : TimeAmount(server.options.limits.queryTime)
    let body = ResponseBody { writer in
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
      let registration = connections.add(channel) { task.cancel() }
      defer {
        connections.remove(registration)
        task.cancel()
        // No more parts are received. Without this call, the task would wait forever to send its last part.
        parts.finish()
      }
      try await withTaskCancellationHandler {
        try await withGracefulShutdownHandler {
          for try await part in parts {
            // A client that does not read must not hold a thread or a transaction.
            let alarm = limit.map { channel.eventLoop.scheduleTask(in: $0) { channel.close(promise: nil) } }
            defer { alarm?.cancel() }
            try await writer.write(part)
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
