import TextIndex

extension SegmentPostingStore {
  /// Reads all documents and postings, for verification.
  ///
  /// - Throws: ``IndexDamage``, errors of the storage.
  /// - Complexity: O(n) in the number of postings.
  func contents() throws -> IndexContents {
    var rows = Set(snapshot.recent.filter { $0.added != nil }.map { Int64($0.row) })
    for view in snapshot.segments {
      let keys = (0..<view.segment.header.lengthBlockCount).map {
        PayloadKey(view.segment.key, .lengths, Int32(truncatingIfNeeded: $0))
      }
      var documents = DocumentLengthRows(columnCount: columnCount)
      for payload in keys.isEmpty ? [] : try storage.payloads(keys) {
        try payload.withUnsafeBufferPointer { try documents.append(block: $0, base: view.segment.base) }
      }
      for row in documents.rows where !view.hidden.containsSorted(row) { rows.insert(Int64(row)) }
    }
    var checksum = PostingChecksum()
    try forEachTerm(prefix: [], withPositions: true) { term, postings in
      try term.withUnsafeBytes { term in
        for number in 0..<postings.count {
          try forEachPosition(in: postings.poslist(number), columnCount: columnCount) {
            checksum.add(term, Int64(postings.rows[number]), $0.column, $0.position)
          }
        }
      }
    }
    return IndexContents(rows: rows, totals: search.totals, postings: checksum)
  }
}
