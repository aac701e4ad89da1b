import Concordance

/// The pattern index that `concord index` keeps for `concord grep`, regular expressions and LIKE.
struct GrepIndex {
  /// The name of the index.
  static let name = "patterns"

  /// Whether there is to be one.
  var isWanted: Bool

  /// Sees to it that the collection has an index for a corpus of these kinds, or none.
  func prepare(for kinds: CorpusKinds, in collection: Collection, progress: IndexProgress) throws {
    guard isWanted else { return try collection.deleteIndex(forName: GrepIndex.name) }
    let existing = try collection.patternIndexDescriptions().first { $0.name == GrepIndex.name }
    let known = existing.flatMap { CorpusKinds(patterns: $0.expressions) } ?? []
    let kinds = kinds.union(known)
    // An empty folder says nothing about the documents to come.
    guard !kinds.isEmpty else { return }
    var config = PatternIndexConfiguration(kinds.patterns)
    // Of a whole file only the text is looked at; its path and type are not.
    config.skipsFilesInEveryOtherString = kinds.contains(.files)
    try collection.createIndex(withName: GrepIndex.name, config: config) { done, total in
      progress.showRebuild(done: Int(done), total: Int(total))
      return true
    }
  }
}
