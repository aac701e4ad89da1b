/// A long doclist whose leaves are read one by one.
struct BoundedDoclist {
  let segment: SegmentStructure.Segment
  /// How many segments are younger.
  let age: Int
  /// The leaf that it begins on.
  let firstLeaf: Int64
  let bounds: DoclistBounds

  /// - Returns: nil for bounds that cannot be those of the doclist, as damage would have it.
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

  /// The last row that may be on a leaf, given by its index in the bounds.
  func lastRow(_ leafIndex: Int) -> UInt32 {
    leafIndex + 1 < bounds.leaves.count ? bounds.leaves[leafIndex + 1].firstRow - 1 : lastRow
  }

  /// The index of the leaf that contains a row if the doclist has it; nil if it cannot.
  func leafIndex(of row: UInt32) -> Int? {
    guard row >= firstRow, row <= lastRow else { return nil }
    return bounds.leaves.partitionPoint { $0.firstRow > row } - 1
  }

  /// The postings on a leaf, delete markers among them.
  ///
  /// - Throws: ``DoclistCorruption`` where they are not those that the bounds are of, too.
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
