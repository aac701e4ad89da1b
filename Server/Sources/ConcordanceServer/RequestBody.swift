import HTTPTypes
import Hummingbird
import NIOCore

/// The body of a request as it is received.
struct RequestBody {
  private let request: Request
  private let channel: any Channel
  /// The maximum size in bytes.
  private let limit: Int

  /// The number of seconds that a client may take for any body, and the number of bytes for which it gets one more
  /// second.
  private static let (minimumTime, minimumRate) = (60, 32 << 10)

  init(_ request: Request, _ channel: any Channel, limit: Int) {
    (self.request, self.channel, self.limit) = (request, channel, limit)
  }

  /// Whether the server can find the end of a body with the value of `Transfer-Encoding`.
  static func isSupported(transferCoding: String) -> Bool { transferCoding.lowercased() == "chunked" }

  /// Receives the body. Closes the connection if the client sends too slowly.
  ///
  /// - Throws: ``Problem`` if the body is compressed or too large, the memory for bodies is exhausted, or the client
  ///   has closed the connection.
  func read(_ budget: MemoryBudget) async throws -> (ByteBuffer, MemoryBudget.Reservation?) {
    if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
      throw Problem(
        .unsupportedMediaType, "unsupported_encoding",
        "the body has the Content-Encoding \"\(encoding)\"; the server only accepts bodies that are not compressed")
    }
    // The decoder removes the chunks only, so the compressed bytes would be taken for the content.
    if let coding = request.headers[.transferEncoding], !RequestBody.isSupported(transferCoding: coding) {
      throw Problem(
        .notImplemented, "unsupported_encoding",
        "the body has the Transfer-Encoding \"\(coding.prefix(100))\"; the server only supports chunked")
    }
    let length = request.headers[.contentLength].flatMap { Int($0) }
    if let length, length > limit { throw tooLarge }
    if request.headers[.expect] != nil { channel.triggerUserOutboundEvent(ContinueHandler.BodyIsRead(), promise: nil) }
    let seconds = RequestBody.minimumTime + (length ?? limit) / RequestBody.minimumRate
    let alarm = channel.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) { [channel] in channel.close(promise: nil)
    }
    defer { alarm.cancel() }
    let reservation = budget.makeReservation()
    var body = ByteBuffer()
    do {
      for try await part in request.body {
        guard body.readableBytes + part.readableBytes <= limit else { throw tooLarge }
        try reservation.add(part.readableBytes)
        body.writeImmutableBuffer(part)
      }
    } catch let problem as Problem {
      throw problem
    } catch {
      // The client has closed the connection, or sent bytes that are not HTTP.
      throw Problem(.badRequest, "malformed_request", "the body of the request is incomplete or malformed")
    }
    return (body, reservation)
  }

  private var tooLarge: Problem {
    Problem(.contentTooLarge, "body_too_large", "the body is larger than \(limit) bytes, the limit for this request")
  }
}
