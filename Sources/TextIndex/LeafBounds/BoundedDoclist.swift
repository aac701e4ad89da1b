/// A long doclist whose leaves are read individually.
struct BoundedDoclist {
  let segment: SegmentStructure.Segment
  /// The number of younger segments.
  let age: Int
  /// The leaf on which it begins.
  let firstLeaf: Int64
  let bounds: DoclistBounds

  /// - Returns: nil if the bounds cannot belong to the doclist because of damage.
  init?(_ bounds: DoclistBounds, firstLeaf: Int64, age: Int, in segment: SegmentStructure.Segment) {
    var (leaf, row) = (firstLeaf - 1, -1)
    for next in bounds.leaves {
      guard next.number > leaf, Int(next.firstRow) > row, next.frequency.isFinite, next.frequency >= 0 else {
        return nil
      }
      (leaf, row) = (next.number, Int(next.firstRow))
    }
    guard !bounds.leaves.isEmpty, leaf <= segment.lastLeaf, row <= Int(bounds.lastRow) else { return nil }
    self.segment = segment
    self.age = age
    self.firstLeaf = firstLeaf
    self.bounds = bounds
  }

  var firstRow: UInt32 { bounds.leaves[0].firstRow }
  var lastRow: UInt32 { bounds.lastRow }

  /// Returns the last row that may be on a leaf, given by its index in the bounds.
  func lastRow(_ leafIndex: Int) -> UInt32 {
    leafIndex + 1 < bounds.leaves.count ? bounds.leaves[leafIndex + 1].firstRow - 1 : lastRow
  }

  /// Returns the index of the leaf that contains a row if the doclist contains it; nil if the row is out of range.
  func leafIndex(of row: UInt32) -> Int? {
    guard row >= firstRow, row <= lastRow else { return nil }
    return bounds.leaves.partitionPoint { $0.firstRow > row } - 1
  }

  /// Reads the postings on a leaf, including delete markers.
  ///
  /// - Throws: ``DoclistCorruption`` if the doclist is damaged or does not match the bounds, `DatabaseError`.
  func postings(_ leafIndex: Int, _ reader: LeafReader) throws -> Postings {
    let leaf = bounds.leaves[leafIndex]
    let postings =
      leaf.number == firstLeaf
      ? try reader.firstPostings(of: bounds.term, on: leaf.number, in: segment)
      : try reader.nextPostings(on: leaf.number, in: segment)
    guard postings.count > 0, postings.rows[0] == leaf.firstRow, postings.lastRow <= Int(lastRow(leafIndex)) else {
      throw DoclistCorruption.badNumber
    }
    return postings
  }
}
