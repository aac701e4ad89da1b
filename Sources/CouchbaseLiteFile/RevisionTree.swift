/// The current revision in a document's revision tree, as stored by Couchbase Lite 2.0 and later.
///
/// ```
/// revision: uint32 record size | uint16 parent | uint8 flags | uint8 n | n bytes id | varint sequence
///           | body, if flags & 0x80
/// …
/// uint32 0
/// ```
///
/// All numbers are big-endian. The first revision is the current one.
struct RevisionTree {
  /// The flags of the current revision.
  struct Flags: OptionSet {
    let rawValue: UInt8
    static let deleted = Flags(rawValue: 0x01)
    static let hasBody = Flags(rawValue: 0x80)
  }

  let flags: Flags
  /// The range of the Fleece data of the current revision; nil if its body is not stored.
  let body: Range<Int>?

  /// The size of a record without its id, sequence and body.
  private static let headerSize = 8

  /// Parses a tree.
  ///
  /// - Returns: nil if the bytes are not a tree, in which case they are the body of a document.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 9 else { return nil }
    var offset = 0
    var isFirst = true
    var first: (flags: Flags, body: Range<Int>?) = ([], nil)
    while true {
      guard offset + 4 <= bytes.count else { return nil }
      let size = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian)
      guard size > 0 else { break }
      guard size >= RevisionTree.headerSize, offset + size <= bytes.count else { return nil }
      let idEnd = offset + RevisionTree.headerSize + Int(bytes[offset + 7])
      guard idEnd <= offset + size, bytes[offset + 7] > 0 else { return nil }
      if isFirst {
        let flags = Flags(rawValue: bytes[offset + 6])
        guard let bodyStart = RevisionTree.end(ofVarintAt: idEnd, bytes, limit: offset + size) else { return nil }
        first = (flags, flags.contains(.hasBody) ? bodyStart..<(offset + size) : nil)
        isFirst = false
      }
      offset += size
    }
    guard !isFirst else { return nil }
    (flags, body) = first
  }

  private static func end(ofVarintAt start: Int, _ bytes: UnsafeRawBufferPointer, limit: Int) -> Int? {
    for index in start..<min(start + 10, limit) where bytes[index] & 0x80 == 0 { return index + 1 }
    return nil
  }
}
