import Foundation
import Replication
import Testing

@testable import Concordance

/// Callbacks of a program for which a replication waits.
@Suite(.filesOnly("replication is not available on PostgreSQL"), .timeLimit(.minutes(10)))
struct ReplicationCallbackTests {
  private let one: TemporaryDatabase
  private let two: TemporaryDatabase
  /// The codes of the errors when the database was closed in a callback; 0 if it was closed.
  private let codes = Received<Int>()

  init() throws {
    one = try TemporaryDatabase()
    two = try TemporaryDatabase()
    try one.save("a", "{}")
  }

  private struct ObservedEndpoint: Endpoint, EndpointConnector {
    let database: ConcordanceDatabase
    let onStatus: @Sendable (PassivePeer.Status) -> Void

    var remoteID: String { "observed" }
    func makeConnector() throws -> any EndpointConnector { self }

    func connect(_ options: EndpointConnectionOptions) async throws -> any ReplicationTransport {
      let (active, passive) = LoopbackTransport.pair()
      PassivePeer(transport: passive, collections: [try database.defaultCollection()], onStatus: onStatus).start()
      return active
    }
  }

  private static func close(_ database: ConcordanceDatabase, _ codes: Received<Int>) {
    do {
      try database.close()
      codes.add(0)
    } catch {
      codes.add((error as? CBLError)?.code ?? -1)
    }
  }

  /// Regression test: the database waited for the callback that closed it.
  @Test func theStatusCallbackOfAPeerClosesTheDatabaseAfterTheEnd() async throws {
    let (database, codes) = (two.database, codes)
    let endpoint = ObservedEndpoint(database: database) { _ in ReplicationCallbackTests.close(database, codes) }
    #expect(try await run(configuration(one, endpoint, .push)).error == nil)
    let all = codes.wait { $0.last == 0 }
    #expect(all.count > 1 && all.dropLast().allSatisfy { $0 == CBLError.transactionNotClosed })
  }

  @Test func aFilterDoesNotCloseTheDatabase() async throws {
    let (database, codes) = (one.database, codes)
    let config = configuration(one, two.endpoint, .push) { collection in
      collection.pushFilter = { _, _ in
        ReplicationCallbackTests.close(database, codes)
        return true
      }
    }
    #expect(try await run(config).error == nil)
    #expect(Set(codes.all) == [CBLError.transactionNotClosed])
    #expect(try two.contents().keys.sorted() == ["a"])
  }

  private struct ClosingResolver: ConflictResolverProtocol {
    let database: ConcordanceDatabase
    let codes: Received<Int>

    func resolve(conflict: Conflict) -> Document? {
      ReplicationCallbackTests.close(database, codes)
      return conflict.localDocument
    }
  }

  @Test func aConflictResolverDoesNotCloseTheDatabase() async throws {
    try two.save("a", #"{"in":"two"}"#)
    let config = configuration(one, two.endpoint, .pull) {
      $0.conflictResolver = ClosingResolver(database: one.database, codes: codes)
    }
    #expect(try await run(config).error == nil)
    #expect(codes.all == [CBLError.transactionNotClosed])
  }

  /// Regression test: collections of another database were ignored, and an empty list was reported as a closed
  /// database.
  @Test func invalidListsOfCollectionsAreReported() throws {
    for collections in [[], [one.collection, two.collection]] as [[Concordance.Collection]] {
      let statuses = Received<PassivePeer.Status>()
      let (_, passive) = LoopbackTransport.pair()
      PassivePeer(transport: passive, collections: collections) { statuses.add($0) }.start()
      let status = try #require(statuses.all.last)
      #expect(status.isClosed && status.databaseError?.code == CBLError.invalidParameter)
      #expect(status.databaseError?.message.contains("collections") == true)
    }
  }
}
