import Hummingbird
import Logging
import NIOCore

/// Sends server-sent events.
struct EventStream: Sendable {
  fileprivate let sink: StreamSink

  /// Sends an event.
  ///
  /// - Parameters:
  ///   - name: the type of the event.
  ///   - data: JSON text without line breaks (``JSONLine``), because a line break would end the data.
  ///   - id: the id that a client sends as `Last-Event-ID` when it reconnects; nil for none.
  func send(_ name: String, data: [UInt8], id: UInt64? = nil) async throws {
    var part = ByteBuffer()
    EventStream.write(name, data, id: id, to: &part)
    try await sink.send(part)
  }

  /// Sends events for changes in parts of at least ``StreamSink/partSize``. With a part for each event, clients that read
  /// all changes to a collection would occupy the server.
  func send(_ changes: [Change]) async throws {
    var part = ByteBuffer()
    for change in changes {
      EventStream.write("change", change.json, id: change.sequence, to: &part)
      if part.readableBytes >= StreamSink.partSize {
        try await sink.send(part)
        part.clear()
      }
    }
    if part.readableBytes > 0 { try await sink.send(part) }
  }

  private static func write(_ name: String, _ data: [UInt8], id: UInt64?, to part: inout ByteBuffer) {
    if let id { part.writeString("id: \(id)\n") }
    part.writeString("event: \(name)\ndata: ")
    part.writeBytes(data)
    part.writeString("\n\n")
  }

  /// Runs `body`. If it throws an error, sends an `error` event with the problem.
  fileprivate func sendingErrors(of server: ServerState, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      let problem = Problem(error, limits: server.options.limits)
      if problem.concernsServer { server.logger.error("event stream failed: \(error)") }
      try await send("error", data: problem.json)
    }
  }
}

extension RequestInput {
  /// Returns a response with server-sent events. If `produce` throws an error, an `error` event with the problem is
  /// sent and the stream ends. The same happens if the database file is deleted or replaced.
  ///
  /// - Throws: ``Problem`` with status 503 and `Retry-After` if there are too many event streams.
  func eventResponse(_ produce: @escaping @Sendable (EventStream) async throws -> Void) async throws -> Response {
    let (interval, server, database) = (server.options.limits.heartbeat, server, try database())
    let permit = try await server.streams.permit()
    return streamedResponse("text/event-stream", headers: [.cacheControl: "no-store"], endsWithServer: true) { sink in
      defer { withExtendedLifetime(permit) {} }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          let events = EventStream(sink: sink)
          try await events.sendingErrors(of: server) { try await produce(events) }
        }
        group.addTask {
          try await EventStream(sink: sink).sendingErrors(of: server) {
            try await server.files.failWhenReplaced(database)
          }
        }
        group.addTask {
          // Comments enable proxies and clients to detect lost connections.
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
