import PostgresAccess
import TestSupport
import Testing
import TextAnalysis

@testable import PostgresStore
@testable import TextIndex

/// Merges of full-text segments during which another process works on the index or drops it.
@Suite(.enabled(if: TemporaryCluster.isInstalled)) struct LostMergeTests {
  /// An index with two segments.
  private static func make() throws -> (IndexPair, PostgresBackend) {
    let layout = try #require(ShardLayout(count: 1))
    let division = RowDivision(layout)
    let backend = try PostgresBackend(shards: layout, index: 1, division)
    let pair = try IndexPair(["f0"], backend, division)
    try backend.write { (session: any PostgresSession) in try PostgresFullText.create(pair.index, session) }
    for start in [1, 301] { try pair.save((start..<start + 300).map { (Int64($0), "{\"f0\":\"all u\($0)\"}") }) }
    #expect(try pair.manifests().map(\.segments.count) == [2])
    return (pair, backend)
  }

  /// The number of segments with rows in a table.
  private static func segmentCount(_ table: String, _ backend: PostgresBackend) throws -> Int64 {
    try backend.read { (session: any PostgresSession) in
      try session.query("SELECT count(DISTINCT seg) FROM \(table)").int64(0, 0)
    }
  }

  /// The lock of a merge is lost before it copies rows, or before it puts the new segment into the manifest. Then
  /// another process deletes the new segment, which looks like that of an interrupted merge, and perhaps merges the
  /// others.
  @Test(arguments: [(.change(1), true), (.write(2), true), (.write(2), false)] as [(ObservedTransactions.Step, Bool)])
  func aSegmentThatAnotherProcessHasDeletedIsNotUsed(step: ObservedTransactions.Step, isMerging: Bool) throws {
    let (pair, backend) = try LostMergeTests.make()
    var otherCount: Int?
    let transactions = ObservedTransactions(backend) { found in
      guard found == step else { return }
      try backend.endLockingSessions()
      otherCount = try FullTextMaintenance(pair.index, backend).run(mergingAll: isMerging, retirementAge: 0)
    }
    let count = try FullTextMaintenance(pair.index, transactions).run(mergingAll: true)
    #expect((count ?? 0) == 0)
    #expect(otherCount == (isMerging ? 1 : 0))
    #expect(try pair.problem() == nil)
    #expect(try LostMergeTests.segmentCount("cx_retired", backend) == 0)
    for table in SegmentSchema.segmentTables {
      #expect(try LostMergeTests.segmentCount(table, backend) == (isMerging ? 1 : 2), "\(table)")
    }
  }

  /// The lock is lost between two parts, and nobody else works on the index yet.
  @Test func aMergeEndsWhenItsLockIsLost() throws {
    let (pair, backend) = try LostMergeTests.make()
    let transactions = ObservedTransactions(backend) { if $0 == .change(1) { try backend.endLockingSessions() } }
    #expect(throws: PostgresError.self) {
      _ = try FullTextMaintenance(pair.index, transactions).run(mergingAll: true)
    }
    #expect(try FullTextMaintenance(pair.index, backend).run(mergingAll: true, retirementAge: 0) == 1)
    #expect(try pair.problem() == nil)
    #expect(try LostMergeTests.segmentCount("cx_dict", backend) == 1)
  }

  /// A garbage collection has read the list of unused segments, and a merge puts one of them into the manifest.
  @Test func aSegmentThatIsUsedMeanwhileIsNotDeleted() throws {
    let (pair, backend) = try LostMergeTests.make()
    try backend.write { (session: any PostgresSession) in
      try session.enqueue(
        PostgresStatement("INSERT INTO cx_retired (idx, shard, seg) SELECT idx, shard, seg FROM cx_seg"), on: 0)
    }
    var isUsed = false
    let transactions = ObservedTransactions(backend) { step in
      guard step == .change(1) else { return }
      try backend.write { (session: any PostgresSession) in
        try session.enqueue(PostgresStatement("DELETE FROM cx_retired"), on: 0)
      }
      isUsed = true
    }
    #expect(try FullTextMaintenance(pair.index, transactions).run(retirementAge: 0) == 0)
    #expect(isUsed)
    #expect(try pair.problem() == nil)
  }

  /// An index that is dropped while it is merged is not damaged, and no rows of it remain.
  @Test(arguments: [.write(1), .change(1), .change(3), .write(2)] as [ObservedTransactions.Step])
  func anIndexThatIsDroppedDuringAMergeLeavesNoRows(step: ObservedTransactions.Step) throws {
    let (pair, backend) = try LostMergeTests.make()
    let transactions = ObservedTransactions(backend) { found in
      guard found == step else { return }
      try backend.write { (session: any PostgresSession) in try PostgresFullText.drop(1, session) }
    }
    #expect(try FullTextMaintenance(pair.index, transactions).run(mergingAll: true) == nil)
    for table in SegmentSchema.segmentTables + ["cx_retired"] {
      #expect(try LostMergeTests.segmentCount(table, backend) == 0, "\(table)")
    }
  }
}
