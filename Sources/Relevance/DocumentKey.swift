import JSONText

/// The id of a document as a key. Ids are compared by their bytes, as in the database and in trec_eval.
typealias DocumentKey = ExactString

extension DocumentKey {
  /// Returns the keys of a ranking, each document at its first position.
  static func ranking(_ ids: [String]) -> [DocumentKey] {
    var seen = Set<DocumentKey>(minimumCapacity: ids.count)
    return ids.map { DocumentKey($0) }.filter { seen.insert($0).inserted }
  }

  /// Returns grades by key.
  static func grades(_ grades: [String: Int]) -> [DocumentKey: Int] {
    Dictionary(uniqueKeysWithValues: grades.map { (DocumentKey($0.key), $0.value) })
  }
}
