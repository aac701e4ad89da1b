public import JSONText

/// The text of a document that was checked: a JSON object in UTF-8 of at most ``maximumSize`` bytes.
public struct DocumentBody: Sendable {
  /// The largest document, in bytes: 50 MiB.
  public static let maximumSize = 50 << 20

  /// How deep arrays and objects may be nested. The parser reads a few levels more, so that parts of a document can be
  /// put into another text.
  public static let maximumDepth = 1000

  /// The text, byte for byte as it was given.
  public let bytes: [UInt8]

  /// Checks a text.
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - parser: parses it; afterwards it holds the document, so that a caller can go on with ``JSONElement``s.
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/notJSON`` or ``StoreError/Kind/tooLarge``.
  public init(checking bytes: [UInt8], parser: JSONParser) throws {
    _ = try DocumentBody.parse(bytes, parser: parser)
    self.bytes = bytes
  }

  /// Checks a text and calls `body` with its root while the parser holds it.
  public init(
    checking bytes: [UInt8], parser: JSONParser, _ body: (JSONElement) throws -> Void
  ) throws {
    try body(DocumentBody.parse(bytes, parser: parser))
    self.bytes = bytes
  }

  /// Takes a text that is known to be a JSON object, and checks its size.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreError/Kind/tooLarge`` or ``StoreError/Kind/notJSON``.
  public init(object bytes: [UInt8]) throws {
    try DocumentBody.checkSize(bytes)
    try DocumentBody.checkDepth(bytes)
    self.bytes = bytes
  }

  /// Takes the text of a stored document, which was checked when it was saved.
  public init(of document: StoredDocument) { bytes = document.body }

  private static func parse(_ bytes: [UInt8], parser: JSONParser) throws -> JSONElement {
    try checkSize(bytes)
    let root: JSONElement
    do {
      root = try bytes.withUnsafeBytes { try parser.parse($0) }
    } catch let error as JSONError where error.kind == .depth {
      throw DocumentBody.tooDeep
    } catch let error as JSONError {
      throw StoreError(.notJSON, error.description)
    }
    guard root.kind == .object else {
      throw StoreError(.notJSON, "a document is a JSON object; this is JSON of another type (\(root.kind))")
    }
    try checkDepth(bytes)
    return root
  }

  private static func checkDepth(_ bytes: [UInt8]) throws {
    guard !bytes.withUnsafeBytes({ JSONDepth.exceeds(maximumDepth, in: $0) }) else { throw tooDeep }
  }

  private static let tooDeep = StoreError(
    .notJSON, "arrays and objects are nested deeper than 1,000 levels")

  private static func checkSize(_ bytes: [UInt8]) throws {
    guard bytes.count <= maximumSize else {
      throw StoreError(
        .tooLarge, "the document has \(bytes.count) bytes; it may have \(maximumSize)")
    }
  }
}
