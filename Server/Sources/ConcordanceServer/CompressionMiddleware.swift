import HTTPTypes
import Hummingbird
import NIOCore

/// Compresses text and JSON with gzip for clients that accept it.
struct CompressionMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  /// The minimum size of a body to compress, in bytes. Compression hardly shrinks smaller bodies.
  private static let minimumSize = 1024

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    // The response to HEAD has the headers of the compressed body; ``HeadMiddleware`` removes the body.
    guard CompressionMiddleware.isCompressible(response) else {
      // The cached response depends on the header, even if this response to a conditional request has no body.
      if response.status == .notModified { CompressionMiddleware.addVary(to: &response) }
      return response
    }
    CompressionMiddleware.addVary(to: &response)
    guard CompressionMiddleware.acceptsGzip(request.headers[.acceptEncoding] ?? "") else { return response }
    response.headers[.contentEncoding] = "gzip"
    response.headers[.contentLength] = nil
    // A strong ETag would claim that the bytes equal those of the uncompressed body.
    if let tag = response.headers[.eTag], !tag.hasPrefix("W/") { response.headers[.eTag] = "W/\(tag)" }
    let body = response.body
    response.body = ResponseBody { writer in try await body.write(GzipBodyWriter(parent: writer, Deflater())) }
    return response
  }

  private static func addVary(to response: inout Response) {
    response.headers[.vary] = [response.headers[.vary], "Accept-Encoding"].compactMap { $0 }.joined(separator: ", ")
  }

  private static func isCompressible(_ response: Response) -> Bool {
    // Ranges refer to bytes of the uncompressed body. Events are too short to be worth compressing.
    guard response.status.code == 200, response.headers[.contentEncoding] == nil,
      response.headers[.acceptRanges] == nil,
      response.body.contentLength.map({ $0 >= minimumSize }) ?? true, let type = response.headers[.contentType]
    else { return false }
    if type.hasPrefix("text/event-stream") { return false }
    return type.hasPrefix("text/") || type.hasPrefix("application/json") || type == "application/x-ndjson"
  }

  static func acceptsGzip(_ header: String) -> Bool {
    var accepted: [String: Bool] = [:]
    for coding in header.split(separator: ",") {
      let parts = coding.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
      guard let name = parts.first else { continue }
      accepted[name] = !parts.dropFirst().contains { $0.hasPrefix("q=0") && (Double($0.dropFirst(2)) ?? 0) == 0 }
    }
    return accepted["gzip"] ?? accepted["*"] ?? false
  }
}

/// Compresses each part of a body and flushes it, so that a client receives streamed results as they are found.
private struct GzipBodyWriter: ResponseBodyWriter {
  private var parent: any ResponseBodyWriter
  private let deflater: Deflater

  init(parent: any ResponseBodyWriter, _ deflater: Deflater) { (self.parent, self.deflater) = (parent, deflater) }

  /// The number of bytes that are compressed at a time. Other requests of the event loop run in between.
  private static let sliceSize = 64 << 10

  mutating func write(_ buffer: ByteBuffer) async throws {
    var rest = buffer
    repeat {
      guard let slice = rest.readSlice(length: min(rest.readableBytes, GzipBodyWriter.sliceSize)) else { return }
      let bytes = try deflater.compress(slice, isLast: false)
      if bytes.readableBytes > 0 { try await parent.write(bytes) }
      if rest.readableBytes > 0 { await Task.yield() }
    } while rest.readableBytes > 0
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    let bytes = try deflater.compress(ByteBuffer(), isLast: true)
    if bytes.readableBytes > 0 { try await parent.write(bytes) }
    try await parent.finish(trailingHeaders)
  }
}
