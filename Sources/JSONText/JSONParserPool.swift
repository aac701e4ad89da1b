import Foundation

/// A pool of parsers: a new parser allocates buffers that a used one has already.
///
/// `@unchecked Sendable`: `idle` is accessed only under `lock`.
private final class JSONParserPool: @unchecked Sendable {
  static let shared = JSONParserPool()

  private let lock = NSLock()
  private var idle: [JSONParser] = []

  func take() throws -> JSONParser { try lock.withLock { idle.popLast() } ?? JSONParser() }

  func give(_ parser: JSONParser) {
    lock.withLock { if idle.count < 8 { idle.append(parser) } }
  }
}

extension JSONParser {
  /// Calls `body` with a parser for exclusive use.
  ///
  /// - Throws: ``JSONError`` if memory allocation fails, and any error of `body`.
  public static func withShared<T>(_ body: (JSONParser) throws -> T) throws -> T {
    let parser = try JSONParserPool.shared.take()
    defer { JSONParserPool.shared.give(parser) }
    return try body(parser)
  }
}
