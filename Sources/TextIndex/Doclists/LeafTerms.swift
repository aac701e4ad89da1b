/// Iterates over the terms that begin on a leaf, using its page index. See ``DoclistFormat``.
struct LeafTerms {
  /// The offset at which the content ends and the page index begins.
  let footer: Int
  /// The offset of the first term; nil if the leaf contains only part of a doclist.
  let firstOffset: Int?
  private let start: UnsafePointer<UInt8>
  private var pageIndex: ByteReader
  private var offset: Int?
  /// The number of bytes that the last term shares with the previous one, as stored; 0 for the first term of the leaf.
  private(set) var sharedLength = 0
  /// The length of the last term.
  private var length = 0

  init(_ leaf: UnsafeBufferPointer<UInt8>) throws(DoclistCorruption) {
    guard let start = leaf.baseAddress, leaf.count >= DoclistFormat.headerSize else { throw .truncated }
    footer = Int(leaf[2]) << 8 | Int(leaf[3])
    guard footer >= DoclistFormat.headerSize, footer <= leaf.count else { throw .badNumber }
    self.start = start
    pageIndex = ByteReader(start + footer, end: start + leaf.count)
    offset = pageIndex.isAtEnd ? nil : try LeafTerms.offset(&pageIndex, after: 0, footer: footer)
    firstOffset = offset
  }

  /// The content before the first term: the end of a doclist that began on an earlier leaf.
  var continuation: ByteReader {
    ByteReader(start + DoclistFormat.headerSize, end: start + (firstOffset ?? footer))
  }

  /// The first rowid that does not follow a term; nil if there is none.
  var firstRow: UnsafePointer<UInt8>? {
    let offset = Int(start[0]) << 8 | Int(start[1])
    return offset == 0 ? nil : start + offset
  }

  /// Whether the leaf has no more terms.
  var isAtEnd: Bool { offset == nil }

  /// Reads the next term.
  ///
  /// Terms that share a rejected prefix with the last one are skipped: only the lengths of their parts are read. The
  /// prefix remains in `term`, so the term after them is complete.
  ///
  /// - Parameters:
  ///   - term: the previous term, with which the next one may share a prefix; set to the next term.
  ///   - rejectedLength: the length of a prefix of `term`; the terms of this leaf that begin with it are skipped.
  /// - Returns: the part of its doclist on this leaf; nil after the last term.
  mutating func next(
    _ term: inout [UInt8], skippingPrefix rejectedLength: Int = .max
  ) throws(DoclistCorruption) -> ByteReader? {
    guard let next = try next(skippingPrefix: rejectedLength) else { return nil }
    guard sharedLength <= term.count else { throw .badNumber }
    term.removeLast(term.count - sharedLength)
    term.append(contentsOf: next.rest)
    return next.content
  }

  /// Does the same for a term in a buffer.
  mutating func next(_ term: inout GrowableBuffer<UInt8>) throws(DoclistCorruption) -> ByteReader? {
    guard let next = try next(skippingPrefix: .max) else { return nil }
    guard sharedLength <= term.count else { throw .badNumber }
    term.truncate(to: sharedLength)
    term.append(next.rest)
    return next.content
  }

  /// Reads the next term and sets ``sharedLength``.
  ///
  /// - Returns: its bytes after those that it shares, and the part of its doclist.
  @inline(__always)
  private mutating func next(
    skippingPrefix rejectedLength: Int
  ) throws(DoclistCorruption) -> (rest: UnsafeBufferPointer<UInt8>, content: ByteReader)? {
    // Local copies remain in registers while terms are skipped.
    var (position, pageIndex, length) = (self.offset, self.pageIndex, self.length)
    defer { (self.offset, self.pageIndex, self.length) = (position, pageIndex, length) }
    while let current = position {
      let next = pageIndex.isAtEnd ? nil : try LeafTerms.offset(&pageIndex, after: current, footer: footer)
      var content = ByteReader(start + current, end: start + (next ?? footer))
      let isFirst = current == firstOffset
      let shared = isFirst ? 0 : try content.number(upTo: UInt64(length))
      let restLength = try content.number(upTo: UInt64(content.count))
      length = shared + restLength
      position = next
      // Skipped terms are validated like others, so that damage is reported in the same cases.
      let rest = try content.bytes(restLength)
      if !isFirst, shared >= rejectedLength { continue }
      sharedLength = shared
      return (rest, content)
    }
    return nil
  }

  private static func offset(
    _ index: inout ByteReader, after previous: Int, footer: Int
  ) throws(DoclistCorruption) -> Int {
    let offset = previous + (try index.number(upTo: UInt64(footer)))
    guard offset > previous, offset >= DoclistFormat.headerSize, offset < footer else { throw .badNumber }
    return offset
  }
}
