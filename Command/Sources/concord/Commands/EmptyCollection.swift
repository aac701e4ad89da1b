import Concordance

/// The message for a search in an empty collection while other collections have documents, for example after an import
/// of lines that name their collections.
enum EmptyCollection {
  /// - Returns: nil if the collection has documents, or if no other collection has any.
  static func notice(of collection: Collection) throws -> String? {
    guard collection.count == 0 else { return nil }
    let others = try collection.database.allCollections().filter { $0.count > 0 }.map(\.fullName)
    guard !others.isEmpty else { return nil }
    return "the collection \(collection.fullName) is empty; select one that has documents with --collection: "
      + others.joined(separator: ", ")
  }
}
