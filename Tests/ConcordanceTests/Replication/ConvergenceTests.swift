import DocumentStore
import Foundation
import GRDB

import Replication
import TestSupport
import Testing

@testable import Concordance

/// Random changes in several databases, replicated over connections that are cut or damaged at random. After the last
/// intact round all databases are equal. `CONCORDANCE_REPLICATION_ROUNDS` sets the number of rounds, and
/// `CONCORDANCE_REPLICATION_SEED` the seed of the first one.
@Suite(.filesOnly("replication is not available on PostgreSQL"))
struct ConvergenceTests {
  enum Topology: CaseIterable {
    case ring
    case star
  }

  private static func setting(_ name: String, default value: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment["CONCORDANCE_REPLICATION_\(name)"].flatMap { UInt64($0) } ?? value
  }

  @Test(arguments: Topology.allCases) func databasesConverge(_ topology: Topology) async throws {
    let first = ConvergenceTests.setting("SEED", default: 1)
    for seed in first..<(first + ConvergenceTests.setting("ROUNDS", default: 3)) {
      try await converge(topology, seed: seed)
    }
  }

  private func converge(_ topology: Topology, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var databases: [TemporaryDatabase] = []
    for _ in 0..<4 { databases.append(try TemporaryDatabase()) }
    for _ in 0..<4 {
      for database in databases { try change(database, &random) }
      for (one, other) in links(topology) {
        let fault: FaultyTransport.Fault =
          switch random.next() % 3 {
          case 0: .cut(Int(random.next() % 30) + 1)
          case 1: .truncate(Int(random.next() % 30) + 1)
          default: .none
          }
        var config = configuration(
          databases[one], FaultyEndpoint(databases[other].database, [fault]),
          [.push, .pull, .pushAndPull][Int(random.next() % 3)])
        config.maxAttempts = 1
        _ = try await run(config)
      }
    }
    for round in 0..<databases.count {
      for (one, other) in links(topology) {
        // Frames and whole messages alternate.
        let endpoint: any Endpoint =
          round % 2 == 0 ? databases[other].endpoint : FaultyEndpoint(databases[other].database)
        let status = try await run(configuration(databases[one], endpoint))
        #expect(status.error == nil, "seed \(seed): \(String(describing: status.error))")
      }
    }
    let expected = try databases[0].contents()
    for database in databases {
      #expect(try database.contents() == expected, "seed \(seed)")
      #expect(try database.database.verify() == [], "seed \(seed)")
      let conflicts = try database.database.engine.store.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM concordance_conflict")
      }
      #expect(conflicts == 0, "seed \(seed)")
    }
  }

  private func links(_ topology: Topology) -> [(Int, Int)] {
    switch topology {
    case .ring: [(0, 1), (1, 2), (2, 3), (3, 0)]
    case .star: [(1, 0), (2, 0), (3, 0)]
    }
  }

  private func change(_ database: TemporaryDatabase, _ random: inout SeededGenerator) throws {
    for _ in 0..<(random.next() % 12) {
      let id = "d\(random.next() % 15)"
      switch random.next() % 5 {
      case 0: try database.delete(id)
      case 1:
        let content = Data("blob \(random.next() % 5)".utf8)
        let document = MutableDocument(id: id)
        document.setBlob(Blob(contentType: "text/plain", data: content), forKey: "blob")
        try database.collection.save(document: document)
      default: try database.save(id, #"{"value":\#(random.next())}"#)
      }
    }
  }
}
