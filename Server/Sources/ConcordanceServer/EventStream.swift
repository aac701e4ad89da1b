import Hummingbird
import JSONText
import Logging
import NIOCore

/// Sends server-sent events.
struct EventStream: Sendable {
  fileprivate let sink: StreamSink

  /// Sends an event.
  ///
  /// - Parameters:
  ///   - name: the type of the event.
  ///   - data: JSON text.
  ///   - id: the id that a client sends as `Last-Event-ID` when it reconnects; nil for none.
  func send(_ name: String, data: some Sequence<UInt8>, id: UInt64? = nil) async throws {
    var part = ByteBuffer()
    if let id { part.writeString("id: \(id)\n") }
    part.writeString("event: \(name)\ndata: ")
    // A line break would end the data.
    part.writeBytes(JSONLine.bytes(of: data))
    part.writeString("\n\n")
    try await sink.send(part)
  }
}

extension RequestInput {
  /// Returns a response of server-sent events. If `produce` throws an error, an event `error` with the problem is sent
  /// and the stream ends.
  func eventResponse(_ produce: @escaping @Sendable (EventStream) async throws -> Void) -> Response {
    let (interval, logger) = (server.options.limits.heartbeat, server.logger)
    return streamedResponse("text/event-stream", headers: [.cacheControl: "no-store"], endsWithServer: true) { sink in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          do {
            try await produce(EventStream(sink: sink))
          } catch is CancellationError {
            throw CancellationError()
          } catch {
            let problem = Problem(error)
            if problem.status == .internalServerError { logger.error("event stream failed: \(error)") }
            try await EventStream(sink: sink).send("error", data: problem.json)
          }
        }
        group.addTask {
          // Comments let proxies and clients detect a lost connection.
          while true {
            try await Task.sleep(for: interval)
            try await sink.send(":\n\n")
          }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
  }
}
