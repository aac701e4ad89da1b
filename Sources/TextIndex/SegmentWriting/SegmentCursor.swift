/// Iterates over the terms of a segment and their doclists, to merge the segment with others.
///
/// A leaf is copied when it is read, because its batch is replaced before its last doclist is complete.
///
/// The buffers are accessed through pointers, and other state is changed in local copies, because changing a property in
/// place requires an exclusivity check for each term.
final class SegmentCursor {
  /// The first eight bytes of the term after its prefix; see ``PostingsHash/beginning(of:)``.
  private(set) var beginning: UInt64 = 0
  private(set) var isAtEnd = false

  private let segment: SegmentStructure.Segment
  private let detail: PostingsHash.Detail
  private let leaves: LeafReadAhead
  private var nextLeaf: Int64
  private var leaf = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 13)
  private var terms: LeafTerms?
  private let termBuffer: UnsafeMutablePointer<GrowableBuffer<UInt8>>
  /// The doclist if it continues on another leaf than that on which it begins.
  private let long: UnsafeMutablePointer<GrowableBuffer<UInt8>>
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
    termBuffer = .allocate(capacity: 1)
    termBuffer.initialize(to: GrowableBuffer(capacity: 256))
    long = .allocate(capacity: 1)
    long.initialize(to: GrowableBuffer())
  }

  deinit {
    leaf.deallocate()
    for buffer in [termBuffer, long] {
      buffer.deinitialize(count: 1)
      buffer.deallocate()
    }
  }

  /// The current term with its prefix; empty before the first one. Its memory is valid until ``next()``.
  var term: UnsafeBufferPointer<UInt8> { termBuffer.pointee.elements }

  /// The doclist of the current term. Its memory is valid until ``next()``.
  var doclist: MergedDoclist { MergedDoclist(bytes: short ?? long.pointee.elements, scan: scan) }

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
    guard var terms, let content = try terms.next(&termBuffer.pointee) else { throw DoclistCorruption.badNumber }
    self.terms = terms
    let term = term
    guard term.count > 1, term[0] == DoclistFormat.termPrefix else { throw DoclistCorruption.badNumber }
    beginning = PostingsHash.beginning(of: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: term[1...])))
    var scan = DoclistScan(detail)
    try scan.scan(content)
    let piece = UnsafeBufferPointer(start: content.position, count: content.count)
    if terms.isAtEnd {
      short = nil
      long.pointee.removeAll()
      long.pointee.append(piece)
      try readContinuation(&scan)
    } else {
      short = piece
    }
    self.scan = scan
    try scan.finish()
  }

  /// Reads the rest of the doclist, up to the leaf on which the next term begins.
  private func readContinuation(_ scan: inout DoclistScan) throws {
    while nextLeaf <= segment.lastLeaf {
      let next = try readLeaf()
      try scan.scan(continuation: next.continuation, firstRow: next.firstRow, appendingTo: &long.pointee)
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
