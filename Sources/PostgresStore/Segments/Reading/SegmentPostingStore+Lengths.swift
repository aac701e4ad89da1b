extension SegmentPostingStore {
  /// Reads the lengths of all documents, unless they are known. Scores need them.
  func loadLengths() throws { try loadLengths { try storage.payloads($0) } }

  /// Reads the lengths of all documents, unless they are known.
  ///
  /// - Parameter read: reads payloads.
  func loadLengths(_ read: ([PayloadKey]) throws -> [[UInt8]]) throws {
    guard !snapshot.lengths.areFilled else { return }
    // Reading under the lock of the lengths would make other searches wait without their time limits. Two that begin at
    // the same time read the lengths twice.
    let segments = snapshot.segments.map(\.segment)
    let stored = try cache.lengths(segments.map(\.key), isCommitted: isCommitted) {
      let lengths = LengthRuns(columnCount: columnCount, rowLimit: snapshot.lengths.rowLimit)
      try lengths.fill { try fill($0, segments, read) }
      return lengths
    }
    snapshot.lengths.fill { filler in
      filler.share(stored)
      for document in snapshot.recent {
        if let added = document.added { filler.set(document.row, added.lengths) }
      }
    }
  }

  private func fill(
    _ filler: LengthRuns.Filler, _ segments: [OpenSegment], _ read: ([PayloadKey]) throws -> [[UInt8]]
  ) throws {
    let keys = segments.flatMap { segment in
      (0..<segment.header.lengthBlockCount).map {
        PayloadKey(segment.key, .lengths, Int32(truncatingIfNeeded: $0))
      }
    }
    guard !keys.isEmpty else { return }
    // Newer segments are later, so their lengths replace older ones.
    var payloads = try read(keys)[...]
    var decoder = LengthBlockDecoder(columnCount: columnCount)
    for segment in segments {
      var last: UInt32?
      for _ in 0..<segment.header.lengthBlockCount {
        guard let payload = payloads.popFirst() else { throw MissingSegmentRow(segment.key) }
        try payload.withUnsafeBufferPointer { try decoder.decode($0, base: segment.base) }
        if let last, decoder.rows[0] <= last { throw SegmentDamage.unordered }
        last = decoder.rows[decoder.count - 1]
        filler.set(decoder)
      }
    }
  }
}
