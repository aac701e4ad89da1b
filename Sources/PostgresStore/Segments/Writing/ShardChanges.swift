import TextIndex

/// The changes of documents of a shard in a transaction that are not written yet.
struct ShardChanges {
  /// The changed documents by their number in the shard.
  var documents: [UInt32: Change] = [:]
  var totals: IndexTotals
  /// The number of bytes of the terms of the added documents.
  var size = 0
  /// All added documents, if there are enough for a segment.
  private(set) var collector: SegmentCollector?
  /// The segment that the changes will become, if there are enough for one.
  var begun: BegunSegment?
  /// Whether each document was added once at most.
  private var isCollectable = true

  /// The version of a document before the changes, and the one after them.
  struct Change {
    var removed: AnalyzedDocument?
    var added: AnalyzedDocument?
  }

  init(totals: IndexTotals) { self.totals = totals }

  /// Adds a document to those that another thread collects, with all earlier ones if it is the first.
  ///
  /// - Parameter document: a document that ``documents`` contains.
  mutating func collect(_ document: AnalyzedDocument, _ number: UInt32, columnCount: Int) {
    guard isCollectable else { return }
    if let collector { return collector.add(document, row: number) }
    let collector = SegmentCollector(columnCount: columnCount)
    for (number, change) in documents.sorted(by: { $0.key < $1.key }) {
      if let added = change.added { collector.add(added, row: number) }
    }
    self.collector = collector
  }

  /// Discards the collected documents, because one of them is removed or replaced.
  mutating func stopCollecting() {
    isCollectable = false
    collector = nil
  }
}

/// A segment that is not written yet, and the state of its shard, which no other transaction changes.
struct BegunSegment {
  let manifest: ShardManifest
  let recentDocuments: [RecentDocument]
  let output: any SegmentOutput
}
