import Testing

@testable import DocumentStore

/// The limits of the checkpoints that peers store in a file.
@Suite struct CheckpointLimitTests {
  private let files: TemporaryStore

  init() throws { files = try TemporaryStore() }

  private func store(_ id: String, size: Int, _ limits: Checkpoints.PeerLimits, isPeer: Bool = true) throws {
    _ = try files.store.write {
      try $0.storeCheckpoint(
        id, isPeer: isPeer, [UInt8](repeating: UInt8(ascii: "x"), count: size), replacing: nil, limits: limits)
    }
  }

  private func stored(isPeer: Bool = true) throws -> [String] {
    try files.store.read { db in
      try (0..<10).map { "\($0)" }.filter { try Checkpoints.read($0, isPeer: isPeer, db) != nil }
    }
  }

  @Test func theOldestCheckpointsAreDeletedIfThereAreTooMany() throws {
    let limits = Checkpoints.PeerLimits(count: 3)
    for number in 0..<3 { try store("\(number)", size: 10, limits) }
    // Stored often, but not recently.
    for size in 10..<20 { try store("1", size: size, limits) }
    try store("0", size: 10, limits)
    try store("2", size: 10, limits)
    try store("3", size: 10, limits)
    #expect(try stored() == ["0", "2", "3"])
  }

  @Test func theTotalSizeIsLimited() throws {
    let limits = Checkpoints.PeerLimits(size: 100)
    for number in 0..<4 { try store("\(number)", size: 30, limits) }
    #expect(try stored() == ["1", "2", "3"])
    // A stored checkpoint that becomes larger.
    try store("1", size: 60, limits)
    #expect(try stored() == ["1", "3"])
    // The current one is kept even if it is too large on its own.
    try store("3", size: 120, limits)
    #expect(try stored() == ["3"])
  }

  @Test func checkpointsOfTheFileItselfAreNotLimited() throws {
    let limits = Checkpoints.PeerLimits(count: 1, size: 10)
    for number in 0..<3 { try store("\(number)", size: 30, limits, isPeer: false) }
    #expect(try stored(isPeer: false).count == 3)
  }

  @Test func eachRevisionIsNew() throws {
    let revisions = try (0..<3).map { _ in
      try files.store.write { try $0.storeCheckpoint("a", isPeer: true, [], replacing: nil) }
    }
    #expect(Set(revisions).count == 3 && !revisions.contains(nil))
  }
}
