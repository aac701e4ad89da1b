import Concordance

/// The pattern index that `concord index` maintains for `concord grep`, regular expressions and LIKE.
struct GrepIndex {
  /// The name of the index.
  static let name = "patterns"

  /// Whether the index is wanted.
  var isWanted: Bool

  /// Creates the index for a corpus of these kinds, or drops it if it is not wanted.
  func prepare(for kinds: CorpusKinds, in collection: Collection, progress: IndexProgress) throws {
    guard isWanted else { return try collection.deleteIndex(forName: GrepIndex.name) }
    let existing = try collection.patternIndexDescriptions().first { $0.name == GrepIndex.name }
    let known = existing.flatMap { CorpusKinds(patterns: $0.expressions) } ?? []
    let kinds = kinds.union(known)
    // An empty folder does not indicate what documents will follow.
    guard !kinds.isEmpty else { return }
    var config = PatternIndexConfiguration(kinds.patterns)
    // Only the text of a whole file is indexed, not its path and type.
    config.excludedFromOtherStrings = kinds.contains(.files) ? CorpusKinds.fileShape : nil
    try collection.createIndex(withName: GrepIndex.name, config: config) { done, total in
      progress.showRebuild(done: Int(done), total: Int(total))
      return true
    }
  }
}
