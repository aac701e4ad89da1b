import TextIndex

/// The changes of documents of a shard in a transaction that are not written yet.
struct ShardChanges {
  /// The changed documents by their number in the shard, without versions that ``segment`` contains.
  var documents: [UInt32: Change] = [:]
  var totals: IndexTotals
  /// The number of bytes of the terms of the added documents.
  var size = 0
  /// The number of bytes of the terms of all changes.
  var memory = 0
  /// The segment that the changes become, if there are enough of them for one.
  private(set) var segment: BegunSegment?

  /// The version of a document before the changes, and the one after them.
  struct Change {
    var removed: AnalyzedDocument?
    var added: AnalyzedDocument?
  }

  init(totals: IndexTotals) { self.totals = totals }

  /// Adds a document, to the segment if there is one.
  mutating func add(_ document: AnalyzedDocument, _ number: UInt32) {
    if let segment {
      segment.collector.add(.analyzed(document), row: number)
    } else {
      documents[number, default: Change()].added = document
    }
  }

  /// Records that a document is removed that ``segment`` does not contain.
  mutating func remove(_ document: AnalyzedDocument, _ number: UInt32) {
    var change = documents[number] ?? Change()
    // A document that was added since the last flush is not stored yet.
    if change.added == nil { change.removed = change.removed ?? document }
    change.added = nil
    documents[number] = change
  }

  /// Passes the added documents to a segment, with the recent documents that are not changed. From now on,
  /// ``documents`` only contains those that the segment replaces.
  ///
  /// - Parameter recent: the recent documents of the shard with their numbers, which the segment takes over, so that
  ///   all older versions of its documents are in segments.
  mutating func begin(_ segment: BegunSegment, _ recent: [(number: UInt32, document: RecentDocument)]) {
    var added: [(row: UInt32, document: SegmentBuilder.Document)] = []
    for (number, document) in recent {
      if documents[number] != nil {
        documents[number]?.removed = nil
      } else if let document = document.added {
        added.append((number, .forward(document)))
      }
    }
    for (number, change) in documents {
      if let document = change.added { added.append((number, .analyzed(document))) }
    }
    documents = documents.compactMapValues { change in change.removed.map { Change(removed: $0) } }
    // In the order of their numbers, they make one run.
    for (row, document) in added.sorted(by: { $0.row < $1.row }) { segment.collector.add(document, row: row) }
    self.segment = segment
  }
}

/// A segment that is not written yet, and the state of its shard, which no other transaction changes.
struct BegunSegment {
  let manifest: ShardManifest
  let output: any SegmentOutput
  let collector: SegmentCollector
  /// The terms of older versions of recent documents, with the numbers of the documents.
  let replaced: [(terms: TermSequence, row: UInt32)]
}
