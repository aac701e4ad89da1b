import GRDB

/// Which runs of a ``LengthTable`` the last transactions have changed, so that who has an older state in memory need not read all
/// of them again.
struct LengthChanges: Equatable {
  /// The stamp of the header after the newest change.
  private(set) var stamp: UInt64
  /// The newest first.
  private var changes: [Change] = []

  private struct Change: Equatable {
    /// The stamp of the header before it.
    let before: UInt64
    let ids: [UInt32]

    /// Bytes that it is stored in.
    var size: Int { 12 + 4 * ids.count }
  }

  /// Bytes for all changes: some hundred saves of one document.
  private static let sizeLimit = 2048

  /// Nothing is known of what was before a state.
  init(stamp: UInt64) { self.stamp = stamp }

  /// Adds the change from this state to the next.
  mutating func append(_ ids: Set<Int64>, leadingTo next: UInt64) {
    changes.insert(Change(before: stamp, ids: ids.map { UInt32(truncatingIfNeeded: $0) }), at: 0)
    stamp = next
    var size = 0
    let kept = changes.prefix {
      size += $0.size
      return size <= LengthChanges.sizeLimit
    }
    changes = Array(kept)
  }

  /// The runs that may differ between an older state and this one; nil where that is not known.
  func ids(since older: UInt64) -> Set<Int64>? {
    var ids: Set<Int64> = []
    for change in changes {
      ids.formUnion(change.ids.map { Int64($0) })
      if change.before == older { return ids }
    }
    return nil
  }
}

extension LengthChanges {
  /// Reads them; nil for what cannot be read.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    let bytes = UnsafeRawBufferPointer(bytes)
    var position = 0
    func next<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number? {
      guard bytes.count - position >= MemoryLayout<Number>.size else { return nil }
      defer { position += MemoryLayout<Number>.size }
      return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: type))
    }
    guard let stamp = next(UInt64.self) else { return nil }
    self.init(stamp: stamp)
    while position < bytes.count {
      guard let before = next(UInt64.self), let count = next(UInt32.self), Int(count) <= bytes.count / 4 else {
        return nil
      }
      let ids = (0..<count).compactMap { _ in next(UInt32.self) }
      guard ids.count == count else { return nil }
      changes.append(Change(before: before, ids: ids))
    }
  }

  /// Their stored form, see ``LengthTable``.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    append(stamp)
    for change in changes {
      append(change.before)
      append(UInt32(change.ids.count))
      for id in change.ids { append(id) }
    }
    return bytes
  }
}
