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
    // A response to HEAD has no body to compress.
    guard request.method != .head, CompressionMiddleware.isCompressible(response) else { return response }
    response.headers[.vary] = [response.headers[.vary], "Accept-Encoding"].compactMap { $0 }.joined(separator: ", ")
    guard CompressionMiddleware.acceptsGzip(request.headers[.acceptEncoding] ?? "") else { return response }
    response.headers[.contentEncoding] = "gzip"
    response.headers[.contentLength] = nil
    // A strong ETag would claim that the bytes equal those of the uncompressed body.
    if let tag = response.headers[.eTag], !tag.hasPrefix("W/") { response.headers[.eTag] = "W/\(tag)" }
    let body = response.body
    response.body = ResponseBody { writer in try await body.write(GzipBodyWriter(parent: writer, Deflater())) }
    return response
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
    header.split(separator: ",").contains { coding in
      let parts = coding.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
      guard let name = parts.first, name == "gzip" || name == "*" else { return false }
      return !parts.dropFirst().contains { $0.hasPrefix("q=0") && (Double($0.dropFirst(2)) ?? 0) == 0 }
    }
  }
}

/// Compresses each part of a body and flushes it, so that a client receives streamed results as they are found.
private struct GzipBodyWriter: ResponseBodyWriter {
  private var parent: any ResponseBodyWriter
  private let deflater: Deflater

  init(parent: any ResponseBodyWriter, _ deflater: Deflater) { (self.parent, self.deflater) = (parent, deflater) }

  mutating func write(_ buffer: ByteBuffer) async throws {
    let bytes = try deflater.compress(buffer, isLast: false)
    if bytes.readableBytes > 0 { try await parent.write(bytes) }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    let bytes = try deflater.compress(ByteBuffer(), isLast: true)
    if bytes.readableBytes > 0 { try await parent.write(bytes) }
    try await parent.finish(trailingHeaders)
  }
}
