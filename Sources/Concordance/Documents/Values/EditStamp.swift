import Synchronization

/// Numbers the edits of all documents in the process.
///
/// Every edit (adding, removing or changing a value) gives its container a higher stamp than all previous edits.
/// Therefore, the maximum stamp in a tree of containers changes if and only if the tree was edited.
enum EditStamp {
  private static let last = Atomic<UInt64>(0)

  /// The stamp of a container that has not been edited since it was read.
  static let none: UInt64 = 0

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
