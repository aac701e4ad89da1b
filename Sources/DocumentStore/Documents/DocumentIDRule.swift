import SQLiteAccess

/// The rule for document ids.
public enum DocumentIDRule {
  /// The maximum length of an id, in bytes of UTF-8.
  public static let maximumLength = 240

  /// Validates an id: not empty, at most ``maximumLength`` bytes, not beginning with `_`.
  ///
  /// - Throws: ``StoreError`` of kind ``StoreErrorKind/badDocumentID``.
  public static func check(_ id: String) throws {
    let length = id.utf8.count
    if length == 0 { throw StoreError(.badDocumentID, "a document id is empty") }
    if length > maximumLength {
      throw StoreError(
        .badDocumentID,
        "the document id \"\(id.prefix(40))…\" has \(length) bytes; the maximum is \(maximumLength)")
    }
    if id.utf8.first == UInt8(ascii: "_") {
      throw StoreError(
        .badDocumentID, "the document id \"\(id)\" begins with an underscore, which is reserved")
    }
  }
}
