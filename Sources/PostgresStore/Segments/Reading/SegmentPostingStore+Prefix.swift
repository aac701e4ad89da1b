import TextIndex

extension SegmentPostingStore {
  /// The maximum number of blocks that are requested at once.
  private static let batchSize = 4096

  /// Calls `body` with each term that has a prefix and its postings, once for each segment and once for the recent
  /// documents that contain it. No two calls for the same term have a row in common. Pages and blocks are read in
  /// batches.
  func forEachTerm(
    prefix: [UInt8], withPositions: Bool, _ body: (_ term: [UInt8], _ postings: Postings) throws -> Void
  ) throws {
    var batch = TermBatch()
    try forEachPage(prefix: prefix) { number, page in
      let segment = snapshot.segments[number].segment.key
      try DictionaryPage.forEachEntry(on: [page], prefix: prefix) { term, entry in
        batch.append(term, SegmentTerm(entry, in: segment), number)
        guard batch.blockCount >= SegmentPostingStore.batchSize else { return }
        try read(batch, withPositions: withPositions, body)
        batch = TermBatch()
      }
    }
    try read(batch, withPositions: withPositions, body)
    try forEachRecentTerm(prefix: prefix, withPositions: withPositions, body)
  }

  /// Terms whose blocks are requested together.
  private struct TermBatch {
    var terms: [(text: [UInt8], term: SegmentTerm, segment: Int)] = []
    var blockCount = 0

    mutating func append(_ text: [UInt8], _ term: SegmentTerm, _ segment: Int) {
      terms.append((text, term, segment))
      blockCount += term.blockCount
    }
  }

  private func read(
    _ batch: TermBatch, withPositions: Bool, _ body: (_ term: [UInt8], _ postings: Postings) throws -> Void
  ) throws {
    try storage.load(
      batch.terms.map { BlockRequest($0.term, 0..<$0.term.blockCount, withPositions: withPositions) })
    var decoder = BlockDecoder(columnCount: columnCount)
    for (text, term, segment) in batch.terms {
      let view = snapshot.segments[segment]
      var postings = PostingsAssembler(columnCount: columnCount, keepingPositions: withPositions)
      for block in 0..<term.blockCount {
        try term.append(
          block: block, base: view.segment.base, withPositions: withPositions, hiding: view.hidden, &decoder,
          to: &postings)
      }
      try body(text, postings.finish())
    }
  }

  private func forEachRecentTerm(
    prefix: [UInt8], withPositions: Bool, _ body: (_ term: [UInt8], _ postings: Postings) throws -> Void
  ) throws {
    var documents: [[UInt8]: [(document: ForwardDocument, row: UInt32, number: Int)]] = [:]
    for recent in snapshot.recent {
      guard let added = recent.added else { continue }
      for number in added.terms.numbers(beginningWith: prefix) {
        documents[Array(added.terms.term(number)), default: []].append((added, recent.row, number))
      }
    }
    for (term, found) in documents.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      var postings = PostingsAssembler(columnCount: columnCount, keepingPositions: withPositions)
      for (document, row, number) in found {
        try document.withPoslist(number) { try postings.append(row, poslist: $0) }
      }
      try body(term, postings.finish())
    }
  }
}

extension DictionaryPage {
  /// Calls `body` with each entry on successive pages whose term has a prefix.
  static func forEachEntry(
    on pages: [StoredPage], prefix: [UInt8], _ body: (_ term: [UInt8], _ entry: DictionaryEntry) throws -> Void
  ) throws {
    for page in pages {
      try page.bytes.withUnsafeBufferPointer {
        try forEach($0) { term, entry in
          if term.starts(with: prefix) {
            try body(term, DictionaryEntry(&entry))
            return true
          }
          return term.lexicographicallyPrecedes(prefix)
        }
      }
    }
  }
}
