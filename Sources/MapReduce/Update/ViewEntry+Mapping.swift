import DocumentStore
import JSONText

extension ViewEntry {
  /// Maps a document and returns its rows; none if the map function throws an error.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - map: the map function.
  ///   - encoder: encodes the keys.
  ///   - onError: receives the error of the map function.
  /// - Throws: the error of an interruption, which the document did not cause; the errors of `onError`.
  static func entries(
    of document: StoredDocument, _ map: ViewUpdate.Map, _ encoder: SortKeyEncoder,
    onError: (any Error) throws -> Void = { _ in }
  ) throws -> [ViewEntry] {
    var entries: [ViewEntry] = []
    var isTooDeep = false
    do {
      try map(document) { emission in
        let key = Array(emission.key.text.utf8)
        isTooDeep = isTooDeep || ViewEntry.isTooDeep(key) || ViewEntry.isTooDeep(emission.value)
        if isTooDeep { return }
        let position = ViewPosition(sort: encoder.key(of: emission.key), id: document.id, number: Int64(entries.count))
        entries.append(ViewEntry(position: position, key: key, value: emission.value))
      }
      if isTooDeep { throw DepthError() }
      return entries
    } catch {
      try LongCall.check()
      try onError(error)
      return []
    }
  }

  /// The parser of the rows does not read deeper texts.
  private static func isTooDeep(_ text: [UInt8]) -> Bool {
    text.withUnsafeBytes { JSONDepth.exceeds(DocumentBody.maximumDepth, in: $0) }
  }

  private static func isTooDeep(_ value: ViewValue) -> Bool {
    if case .json(let text) = value { isTooDeep(text) } else { false }
  }
}

/// The error of a document whose rows cannot be stored.
private struct DepthError: Error, CustomStringConvertible {
  var description: String { "a key or value is nested more than \(DocumentBody.maximumDepth) levels deep" }
}
