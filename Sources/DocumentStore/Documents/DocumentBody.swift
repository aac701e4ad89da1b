public import JSONText
import SQLiteAccess

/// The validated text of a document: a JSON object in UTF-8 of at most ``maximumSize`` bytes.
public struct DocumentBody: Sendable {
  /// The maximum size of a document in bytes: 50 MiB.
  public static let maximumSize = 50 << 20

  /// The maximum nesting depth of arrays and objects. The parser's limit is a few levels higher, so that parts of a
  /// document can be embedded in another text.
  public static let maximumDepth = 1000

  /// The text, exactly as it was passed in.
  public let bytes: [UInt8]

  /// Validates a JSON text.
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - parser: the parser to use. Afterwards it contains the document, so that the caller can read its
  ///     ``JSONElement``s.
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/notJSON`` or ``StoreErrorKind/tooLarge``.
  public init(checking bytes: [UInt8], parser: JSONParser) throws {
    _ = try DocumentBody.parse(bytes, parser: parser)
    self.bytes = bytes
  }

  /// Validates a JSON text and calls `body` with its root element.
  public init(
    checking bytes: [UInt8], parser: JSONParser, _ body: (JSONElement) throws -> Void
  ) throws {
    try body(DocumentBody.parse(bytes, parser: parser))
    self.bytes = bytes
  }

  /// Creates a body from text that is known to be a JSON object, and checks its size and nesting depth.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/tooLarge`` or ``StoreErrorKind/notJSON``.
  public init(object bytes: [UInt8]) throws {
    try DocumentBody.checkSize(bytes)
    try DocumentBody.checkDepth(bytes)
    self.bytes = bytes
  }

  /// Creates a body from a stored document, which was validated when it was saved.
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
      throw StoreError(.notJSON, "a document must be a JSON object, not another JSON value (\(root.kind))")
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
        .tooLarge, "the document has \(bytes.count) bytes; the maximum is \(maximumSize)")
    }
  }
}
