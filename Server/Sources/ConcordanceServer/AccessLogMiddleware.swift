import Hummingbird
import NIOCore
import Synchronization

/// Adds each request to an ``AccessLog`` when its response has been sent. It must be the first middleware, so that it
/// receives the responses as they are sent.
struct AccessLogMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let log: AccessLog

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    let logged = LoggedRequest(request, context)
    var response = try await next(request, context)
    let (status, body, log) = (response.status.code, response.body, log)
    response.body = ResponseBody(contentLength: body.contentLength) { writer in
      let count = ByteCount()
      func add(isComplete: Bool) {
        var logged = logged
        (logged.status, logged.byteCount, logged.isComplete) = (status, count.value, isComplete)
        logged.duration = start.duration(to: .now)
        log.add(logged)
      }
      do { try await body.write(CountingBodyWriter(parent: writer, count: count)) } catch {
        add(isComplete: false)
        throw error
      }
      add(isComplete: true)
    }
    return response
  }
}

/// The number of bytes of a body that were written.
private final class ByteCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add(_ byteCount: Int) { count.wrappingAdd(byteCount, ordering: .relaxed) }
}

private struct CountingBodyWriter: ResponseBodyWriter {
  var parent: any ResponseBodyWriter
  let count: ByteCount

  mutating func write(_ buffer: ByteBuffer) async throws {
    try await parent.write(buffer)
    count.add(buffer.readableBytes)
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await parent.finish(trailingHeaders) }
}
