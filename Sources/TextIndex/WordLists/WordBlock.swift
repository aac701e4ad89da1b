/// A block of a word list, which is searched without creating its words; see ``WordListFormat``.
struct WordBlock {
  private let count: Int
  private let sharedLengths: UnsafePointer<UInt8>
  private let restLengths: UnsafePointer<UInt8>
  /// The bytes of the words after those that they share, followed by the frequencies.
  private let rests: ByteReader

  /// The number of words that are skipped together.
  private static let step = 32

  /// - Parameter content: the block after its checksum.
  init(_ content: UnsafeBufferPointer<UInt8>) throws(DoclistCorruption) {
    guard let start = content.baseAddress, content.count >= 2 else { throw .truncated }
    count = Int(start[0]) | Int(start[1]) << 8
    guard content.count >= 2 + 2 * count else { throw .truncated }
    sharedLengths = start + 2
    restLengths = sharedLengths + count
    rests = ByteReader(restLengths + count, end: start + content.count)
  }

  /// Appends the words that a search accepts.
  ///
  /// - Parameter word: memory for the current word, ``TermList/maximumLength`` bytes.
  func appendWords(
    acceptedBy traversal: inout TypoTraversal, _ word: UnsafeMutableBufferPointer<UInt8>, to list: inout TermList
  ) throws(DoclistCorruption) {
    var rests = rests
    var frequencies: FrequencyReader?
    var (number, length) = (0, 0)
    while number < count {
      let (shared, restLength) = (Int(sharedLengths[number]), Int(restLengths[number]))
      guard shared <= length, shared + restLength <= word.count else { throw .badNumber }
      let rest = try rests.bytes(restLength)
      length = shared + restLength
      for offset in 0..<restLength { word[shared + offset] = rest[offset] }
      let current = UnsafeBufferPointer(rebasing: word[..<length])
      var rejectedLength = Int.max
      if traversal.accepts(current, sharedLength: shared, rejectedLength: &rejectedLength) {
        var reader: FrequencyReader
        if let frequencies { reader = frequencies } else { reader = try frequencyReader() }
        list.append(current, frequency: try reader.frequency(number))
        frequencies = reader
      }
      let next = next(after: number, sharingLessThan: rejectedLength)
      _ = try rests.bytes(next.skippedLength)
      number = next.number
    }
  }

  /// Returns the next word that shares fewer than `limit` bytes with its predecessor, and the total length of the bytes
  /// of the words before it. All words that share a rejected prefix are rejected.
  private func next(after number: Int, sharingLessThan limit: Int) -> (number: Int, skippedLength: Int) {
    var (next, skippedLength) = (number + 1, 0)
    // Limits of more bytes are not worth skipping.
    guard limit <= TermList.maximumLength else { return (next, 0) }
    let limits = SIMD32<UInt8>(repeating: UInt8(limit))
    while next + WordBlock.step <= count {
      let shared = UnsafeRawPointer(sharedLengths + next).loadUnaligned(as: SIMD32<UInt8>.self)
      if any(shared .< limits) { break }
      let lengths = UnsafeRawPointer(restLengths + next).loadUnaligned(as: SIMD32<UInt8>.self)
      skippedLength += Int(SIMD32<UInt16>(truncatingIfNeeded: lengths).wrappedSum())
      next += WordBlock.step
    }
    while next < count, sharedLengths[next] >= limit {
      skippedLength += Int(restLengths[next])
      next += 1
    }
    return (next, skippedLength)
  }

  private func frequencyReader() throws(DoclistCorruption) -> FrequencyReader {
    var size = 0
    for number in 0..<count { size += Int(restLengths[number]) }
    var reader = rests
    _ = try reader.bytes(size)
    return FrequencyReader(reader)
  }

  /// Reads the frequencies of ascending words.
  private struct FrequencyReader {
    private var reader: ByteReader
    private var next = 0

    init(_ reader: ByteReader) { self.reader = reader }

    mutating func frequency(_ number: Int) throws(DoclistCorruption) -> UInt32 {
      while next < number {
        _ = try reader.varint()
        next += 1
      }
      next += 1
      let value = try reader.varint()
      guard value > 0, value <= UInt64(UInt32.max) else { throw .badNumber }
      return UInt32(value)
    }
  }
}
