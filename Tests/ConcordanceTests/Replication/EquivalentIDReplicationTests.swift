import Testing

@testable import Concordance

/// Replications of documents whose ids are canonically equivalent.
@Suite(.filesOnly("replication is not available on PostgreSQL")) struct EquivalentIDReplicationTests {
  private let ids = ["caf\u{E9}", "cafe\u{301}"]
  private let source: TemporaryDatabase
  private let target: TemporaryDatabase

  init() throws {
    source = try TemporaryDatabase()
    target = try TemporaryDatabase()
    try source.database.inBatch {
      for (number, id) in ids.enumerated() { try source.save(id, #"{"n":\#(number)}"#) }
    }
  }

  private func numbers(_ database: TemporaryDatabase) throws -> [Int?] {
    try ids.map { try database.collection.document(id: $0)?.int(forKey: "n") }
  }

  @Test(arguments: [ReplicatorType.push, .pull])
  func bothDocumentsAreReplicated(type: ReplicatorType) async throws {
    let config =
      type == .push ? configuration(source, target.endpoint, type) : configuration(target, source.endpoint, type)
    #expect(try await run(config).error == nil)
    #expect(try numbers(target) == [0, 1])
  }

  @Test(arguments: [0, 1]) func filterSelectsOneOfThem(wanted: Int) async throws {
    let config = configuration(source, target.endpoint, .push) { $0.documentIDs = [ids[wanted]] }
    let replicator = try Replicator(config: config)
    let pending = try ids.map { try replicator.isDocumentPending($0, collection: source.collection) }
    #expect(pending == [wanted == 0, wanted == 1])
    #expect(try await run(config).error == nil)
    let expected: [Int?] = wanted == 0 ? [0, nil] : [nil, 1]
    #expect(try numbers(target) == expected)
  }
}
