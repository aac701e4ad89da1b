import HTTPTypes
import Hummingbird
import NIOCore

/// Writes bodies in slices, each after the client has received most of the slices before it. ``WriteTimeLimit`` could
/// otherwise not distinguish a client that reads a large body slowly from one that does not read.
struct SlicingMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  /// The size of a slice in bytes, which is the default high watermark of a channel.
  static let sliceSize = 64 << 10

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    let body = response.body
    // The head, the body and the end of a small response are written together.
    guard body.contentLength.map({ $0 > SlicingMiddleware.sliceSize }) ?? true else { return response }
    response.body = ResponseBody(contentLength: body.contentLength) { writer in
      try await body.write(SlicingBodyWriter(parent: writer))
    }
    return response
  }
}

private struct SlicingBodyWriter: ResponseBodyWriter {
  private var parent: any ResponseBodyWriter

  init(parent: any ResponseBodyWriter) { self.parent = parent }

  mutating func write(_ buffer: ByteBuffer) async throws {
    var rest = buffer
    while rest.readableBytes > 0,
      let slice = rest.readSlice(length: min(rest.readableBytes, SlicingMiddleware.sliceSize))
    {
      try await parent.write(slice)
    }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await parent.finish(trailingHeaders) }
}
