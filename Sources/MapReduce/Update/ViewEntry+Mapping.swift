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
    do {
      try map(document) { emission in
        let position = ViewPosition(sort: encoder.key(of: emission.key), id: document.id, number: Int64(entries.count))
        entries.append(ViewEntry(position: position, key: Array(emission.key.text.utf8), value: emission.value))
      }
      return entries
    } catch {
      try LongCall.check()
      try onError(error)
      return []
    }
  }
}
