import Foundation

/// Parsers kept for reuse: a new one allocates the buffers that a used one has.
///
/// `@unchecked Sendable`: `idle` is reached only under `lock`.
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
  /// Calls `body` with a parser that nobody else uses meanwhile.
  ///
  /// - Throws: ``JSONError`` when memory is short, and what `body` throws.
  public static func withShared<T>(_ body: (JSONParser) throws -> T) throws -> T {
    let parser = try JSONParserPool.shared.take()
    defer { JSONParserPool.shared.give(parser) }
    return try body(parser)
  }
}
