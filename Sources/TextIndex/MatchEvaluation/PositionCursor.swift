/// Iterates over the positions of a poslist as numbers in ascending order. The poslist was checked when it was counted
/// (``PoslistCounter``), so its order is not checked again.
struct PositionCursor {
  private var position: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private let columnCount: UInt64
  /// The last position read.
  private var tokenPosition: UInt64 = 0

  /// The result of ``next()`` at the end.
  static let none = UInt64.max

  /// - Parameters:
  ///   - list: the poslist.
  ///   - columnCount: the number of columns of the index. The iteration ends at a column that does not exist, even if
  ///     the list was not checked.
  ///   - defaultValue: a valid address, which is used for an empty list.
  @inline(__always)
  init(_ list: UnsafeBufferPointer<UInt8>, columnCount: Int, _ defaultValue: UnsafePointer<UInt8>) {
    position = list.baseAddress ?? defaultValue
    end = position + list.count
    self.columnCount = UInt64(columnCount)
  }

  /// Returns the number of the next position (see ``TermPosition/init(_:)``); ``none`` at the end.
  @inline(__always)
  mutating func next() -> UInt64 {
    guard position < end else { return PositionCursor.none }
    if position[0] == 1 {
      position += 1
      guard position < end else { return PositionCursor.none }
      let column = varint()
      guard position < end, column < columnCount else {
        position = end
        return PositionCursor.none
      }
      tokenPosition = column << 32
    }
    // A damaged list may contain any number, but the position must not overflow into the column, which was checked.
    let moved = UInt32(truncatingIfNeeded: tokenPosition &+ varint() &- 2)
    tokenPosition = tokenPosition & ~0xFFFF_FFFF | UInt64(moved)
    return tokenPosition
  }

  /// Reads a varint, which ends at the latest with the list.
  @inline(__always)
  private mutating func varint() -> UInt64 {
    var byte = position[0]
    position += 1
    if byte < 0x80 { return UInt64(byte) }
    var value = UInt64(byte & 0x7F)
    repeat {
      guard position < end else { return value }
      byte = position[0]
      position += 1
      value = value << 7 | UInt64(byte & 0x7F)
    } while byte >= 0x80
    return value
  }
}

/// The addresses of the positions of postings, for inner loops. Access through the object would update its reference
/// count.
struct PositionSource {
  private let poslistOffsets: UnsafePointer<UInt32>
  private let bytes: UnsafePointer<UInt8>
  private let columnCount: Int

  /// Creates a source for postings, which must outlive it; nil if the postings have no positions.
  init?(_ postings: Postings, columnCount: Int) {
    guard let poslistOffsets = postings.poslistOffsets else { return nil }
    self.poslistOffsets = poslistOffsets
    self.columnCount = columnCount
    bytes = postings.positionBytes
  }

  /// Returns the poslist of a posting.
  @inline(__always)
  func cursor(_ number: Int) -> PositionCursor {
    PositionCursor(Postings.poslist(at: bytes + Int(poslistOffsets[number])), columnCount: columnCount, bytes)
  }
}
