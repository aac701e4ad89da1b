/// The id of a document as a key. Ids are compared by their UTF-8 bytes, as in the database and in trec_eval; `String`
/// compares canonically equivalent texts as equal.
struct DocumentKey: Hashable, Comparable, Sendable {
  let id: String

  init(_ id: String) { self.id = id }

  static func == (one: DocumentKey, other: DocumentKey) -> Bool { one.id.utf8.elementsEqual(other.id.utf8) }

  static func < (one: DocumentKey, other: DocumentKey) -> Bool {
    one.id.utf8.lexicographicallyPrecedes(other.id.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var id = id
    id.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // Ends the id, so that the hashes of sequences of ids differ from each other.
    hasher.combine(0xFF as UInt8)
  }

  /// Returns the keys of a ranking, each document at its first position.
  static func ranking(_ ids: [String]) -> [DocumentKey] {
    var seen = Set<DocumentKey>(minimumCapacity: ids.count)
    return ids.map(DocumentKey.init).filter { seen.insert($0).inserted }
  }

  /// Returns grades by key.
  static func grades(_ grades: [String: Int]) -> [DocumentKey: Int] {
    Dictionary(uniqueKeysWithValues: grades.map { (DocumentKey($0.key), $0.value) })
  }
}
