import TextIndex

/// The list of the documents of a trigram in a segment, in the shorter one of two encodings.
///
/// ```
/// list := RowDeltas | 0 PackedRows
/// ```
///
/// No document has the row 0, so a list of differences does not begin with 0. Differences are shorter for a few rows
/// only.
enum TrigramList {
  private static let packedMark: UInt8 = 0
  /// The number of rows of the shortest list that is packed.
  private static let smallestPackedCount = 8

  /// Encodes ascending rows.
  static func encode(_ rows: [UInt32]) -> [UInt8] {
    let deltas = RowDeltas.encode(rows)
    return packed(rows, shorterThan: deltas.count) ?? deltas
  }

  /// Encodes a doclist of ``TrigramPostings`` without removals, which is as long as the differences.
  static func encode(doclist: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let rows = RowDeltas.decode(doclist: doclist)
    return packed(rows, shorterThan: doclist.count) ?? RowDeltas.encode(rows)
  }

  /// Returns the rows of a list.
  ///
  /// - Throws: ``SegmentDamage``. A list that ends after a complete number or block is not recognized as truncated.
  static func decode(_ bytes: UnsafeRawBufferPointer) throws -> [UInt32] {
    guard bytes.first == packedMark else { return try RowDeltas.decode(bytes) }
    return try PackedRows.decode(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
  }

  /// Returns the packed list; nil if it would not be shorter than a size.
  private static func packed(_ rows: [UInt32], shorterThan size: Int) -> [UInt8]? {
    guard rows.count >= smallestPackedCount else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    bytes.append(packedMark)
    return PackedRows.append(rows, to: &bytes) && bytes.count < size ? bytes : nil
  }
}
