import GRDB

/// The runs of a ``LengthTable`` that recent transactions have changed. A reader that has cached an older state reads
/// only these runs again.
struct LengthChanges: Equatable {
  /// The stamp of the header after the newest change.
  private(set) var stamp: UInt64
  /// The changes, newest first.
  private var changes: [Change] = []

  private struct Change: Equatable {
    /// The stamp of the header before the change.
    let before: UInt64
    let ids: [UInt32]

    /// The stored size in bytes.
    var size: Int { 12 + 4 * ids.count }
  }

  /// The maximum size of all changes in bytes: a few hundred saves of one document.
  private static let sizeLimit = 2048

  /// Creates an empty list for a state whose previous changes are unknown.
  init(stamp: UInt64) { self.stamp = stamp }

  /// Adds the change from this state to the next one. If the ID of a run does not fit into the stored form, the list
  /// becomes empty, so that readers read all runs again.
  mutating func append(_ ids: Set<Int64>, leadingTo next: UInt64) {
    let stored = ids.compactMap { UInt32(exactly: $0) }
    guard stored.count == ids.count else {
      self = LengthChanges(stamp: next)
      return
    }
    changes.insert(Change(before: stamp, ids: stored), at: 0)
    stamp = next
    var size = 0
    let kept = changes.prefix {
      size += $0.size
      return size <= LengthChanges.sizeLimit
    }
    changes = Array(kept)
  }

  /// Returns the IDs of the runs that may differ between an older state and this one; nil if they are unknown.
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
  /// Reads the stored form; nil if it is damaged.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var reader = LittleEndianReader(bytes)
    guard let stamp = reader.next(UInt64.self) else { return nil }
    self.init(stamp: stamp)
    while reader.count > 0 {
      guard let before = reader.next(UInt64.self), let count = reader.next(UInt32.self), Int(count) <= reader.count / 4
      else {
        return nil
      }
      changes.append(Change(before: before, ids: (0..<count).compactMap { _ in reader.next(UInt32.self) }))
    }
  }

  /// The stored form; see ``LengthTable``.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(stamp)
    for change in changes {
      bytes.appendLittleEndian(change.before)
      bytes.appendLittleEndian(UInt32(change.ids.count))
      for id in change.ids { bytes.appendLittleEndian(id) }
    }
    return bytes
  }
}
