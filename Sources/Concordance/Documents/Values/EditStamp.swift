import Synchronization

/// Numbers edits across all documents, so that the highest number in a tree of containers tells whether any of them was
/// edited since: whatever was added, taken out or changed, somebody in the tree has a higher number than before.
enum EditStamp {
  private static let last = Atomic<UInt64>(0)

  /// Nothing was edited since the container was read.
  static let none: UInt64 = 0

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
