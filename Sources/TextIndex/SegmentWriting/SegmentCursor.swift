/// Iterates over the terms of a segment and their doclists, to merge the segment with others.
///
/// A leaf is copied when it is read, because its batch is replaced before its last doclist is complete.
final class SegmentCursor {
  /// The current term with its prefix; empty before the first one.
  private(set) var term = GrowableBuffer<UInt8>(capacity: 256)
  /// The first eight bytes of the term after its prefix; see ``PostingsHash/beginning(of:)``.
  private(set) var beginning: UInt64 = 0
  private(set) var isAtEnd = false

  private let segment: SegmentStructure.Segment
  private let detail: PostingsHash.Detail
  private let leaves: LeafReadAhead
  private var nextLeaf: Int64
  private var leaf = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 13)
  private var terms: LeafTerms?
  /// The doclist if it continues on another leaf than that on which it begins.
  private var long = GrowableBuffer<UInt8>()
  /// The doclist if it is on one leaf.
  private var short: UnsafeBufferPointer<UInt8>?
  /// The rows of the current doclist.
  private(set) var scan: DoclistScan

  /// Creates a cursor before the first term.
  init(_ segment: SegmentStructure.Segment, _ leaves: LeafReadAhead, detail: PostingsHash.Detail) {
    self.segment = segment
    self.detail = detail
    self.leaves = leaves
    nextLeaf = segment.firstLeaf
    scan = DoclistScan(detail)
  }

  deinit { leaf.deallocate() }

  /// The doclist of the current term. Its memory is valid until ``next()``.
  var doclist: MergedDoclist {
    if let short { return MergedDoclist(bytes: short, scan: scan) }
    return MergedDoclist(bytes: long.elements, scan: scan)
  }

  /// Advances to the next term.
  ///
  /// - Throws: ``DoclistCorruption`` for data that FTS5 cannot have written, and the errors of reading.
  func next() throws {
    if terms?.isAtEnd ?? true {
      guard nextLeaf <= segment.lastLeaf else {
        isAtEnd = true
        return
      }
      let first = try readLeaf()
      guard first.continuation.isAtEnd else { throw DoclistCorruption.badNumber }
    }
    guard let content = try terms?.next(&term) else { throw DoclistCorruption.badNumber }
    guard term.count > 1, term.start[0] == DoclistFormat.termPrefix else { throw DoclistCorruption.badNumber }
    beginning = PostingsHash.beginning(of: UnsafeRawBufferPointer(start: term.start + 1, count: term.count - 1))
    var scan = DoclistScan(detail)
    try scan.scan(content)
    self.scan = scan
    let piece = UnsafeBufferPointer(start: content.position, count: content.count)
    if terms?.isAtEnd == false {
      short = piece
    } else {
      short = nil
      long.removeAll()
      long.append(piece)
      try readContinuation()
    }
    try self.scan.finish()
  }

  /// Reads the rest of the doclist, up to the leaf on which the next term begins.
  private func readContinuation() throws {
    while nextLeaf <= segment.lastLeaf {
      let next = try readLeaf()
      try scan.scan(continuation: next.continuation, firstRow: next.firstRow, appendingTo: &long)
      if !next.isAtEnd { return }
    }
  }

  private func readLeaf() throws -> LeafTerms {
    let count = try leaves.withNext { block in
      if block.count > leaf.count {
        leaf.deallocate()
        leaf = .allocate(capacity: block.count)
      }
      _ = leaf.update(fromContentsOf: block)
      return block.count
    }
    let terms = try LeafTerms(UnsafeBufferPointer(rebasing: leaf[..<count]))
    self.terms = terms
    nextLeaf += 1
    return terms
  }
}

@available(*, unavailable)
extension SegmentCursor: Sendable {}
