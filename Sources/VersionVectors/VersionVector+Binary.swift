/// The binary form of a vector:
///
/// ```
/// 0 | for each entry: varint compressed time | uint8 flag and length | author
/// ```
///
/// The first time is absolute; each later time is stored as the difference between the previous time and this one. If
/// the low 16 bits of this value are 0, which is common because they are a counter, the value is shifted right by
/// 15 bits, so that its lowest bit is 0; otherwise it is doubled and its lowest bit is set. The length is 0 for the
/// database that the vector belongs to, and 16 otherwise. The flag 0x80 marks the current version and the versions that
/// it merged; if no entry has the flag, only the first entry is current.
extension VersionVector {
  private static let currentFlag: UInt8 = 0x80

  /// The binary form.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = [0]
    var previous: UInt64?
    for (index, version) in entries.enumerated() {
      let time = previous.map { $0 &- version.time } ?? version.time
      VersionVector.append(
        previous == nil ? VersionVector.compressed(time) : VersionVector.compressedDifference(time), to: &bytes)
      let isMarked = !merged.isEmpty && index <= merged.count
      bytes.append((isMarked ? VersionVector.currentFlag : 0) | (version.author == nil ? 0 : UInt8(SourceID.size)))
      bytes += version.author?.bytes ?? []
      previous = version.time
    }
    return bytes
  }

  /// Parses the binary form.
  ///
  /// - Throws: ``VersionError``.
  public init(bytes: some Collection<UInt8>) throws(VersionError) {
    let bytes = Array(bytes)
    guard bytes.first == 0 else { throw .malformedBytes }
    var offset = 1
    var marked: [Version] = []
    var others: [Version] = []
    var previous: UInt64?
    while offset < bytes.count {
      guard marked.count + others.count < VersionVector.maximumCount else { throw .tooLong }
      guard let number = VersionVector.read(bytes, &offset), offset < bytes.count else { throw .malformedBytes }
      let flags = bytes[offset]
      let length = Int(flags & ~VersionVector.currentFlag)
      guard length == 0 || length == SourceID.size, offset + 1 + length <= bytes.count else { throw .malformedBytes }
      let author = SourceID(bytes[(offset + 1)..<(offset + 1 + length)])
      offset += 1 + length
      let time =
        previous.map { $0 &- VersionVector.decompressedDifference(number) } ?? VersionVector.decompressed(number)
      guard let version = Version(time: time, author: author) else { throw .malformedBytes }
      if flags & VersionVector.currentFlag != 0 {
        guard others.isEmpty else { throw .malformedBytes }
        marked.append(version)
      } else {
        others.append(version)
      }
      previous = time
    }
    if marked.isEmpty, !others.isEmpty { marked = [others.removeFirst()] }
    guard marked.count == 1 || marked.count == 3 else { throw .malformedBytes }
    try self.init(current: marked[0], merged: Array(marked.dropFirst()), history: others)
  }

  /// Compresses a time. Its low 16 bits are a counter, which is usually 0.
  private static func compressed(_ time: UInt64) -> UInt64 {
    time & 0xFFFF == 0 ? time >> 15 : time << 1 | 1
  }

  private static func decompressed(_ number: UInt64) -> UInt64 { number & 1 == 1 ? number >> 1 : number << 15 }

  private static func compressedDifference(_ difference: UInt64) -> UInt64 {
    let signed = Int64(bitPattern: difference)
    return UInt64(bitPattern: signed & 0xFFFF == 0 ? signed >> 15 : signed << 1 | 1)
  }

  private static func decompressedDifference(_ number: UInt64) -> UInt64 {
    let signed = Int64(bitPattern: number)
    return UInt64(bitPattern: signed & 1 == 1 ? signed >> 1 : signed << 15)
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func read(_ bytes: [UInt8], _ offset: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for index in 0..<10 {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      guard index < 9 || byte <= 1 else { return nil }
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
