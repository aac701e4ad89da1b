import Concordance
import Foundation
import Testing

/// The Swift of the handbook's page on replication, compiled and run.
@Suite(.timeLimit(.minutes(10)), .filesOnly("replication is not available on PostgreSQL"))
struct HandbookReplicationTests {
  private let lines = Received<String>()

  private func print(_ values: Any...) { lines.add(values.map { "\($0)" }.joined(separator: " ")) }

  @Test func replicatorIsStarted() throws {
    let (source, destination) = (try TemporaryDatabase(), try TemporaryDatabase())
    let backup = destination.database
    let hotels = source.collection
    try source.save("h1", #"{"name":"Ghia"}"#)
    let target = DatabaseEndpoint(database: backup)
    var config = ReplicatorConfiguration(collections: .fromCollections([hotels]), target: target)
    config.replicatorType = .push

    let replicator = try Replicator(config: config)
    replicator.addChangeListener { change in print("\(change.status.activity)") }
    replicator.start()
    lines.wait { $0.last == "stopped" }
    #expect(replicator.status.error == nil)
    #expect(try destination.collection.document(id: "h1")?.string(forKey: "name") == "Ghia")
  }

  struct MoreStars: ConflictResolverProtocol {
    func resolve(conflict: Conflict) -> Document? {
      guard let mine = conflict.localDocument, let theirs = conflict.remoteDocument else { return nil }
      return mine.int(forKey: "stars") > theirs.int(forKey: "stars") ? mine : theirs
    }
  }

  @Test func resolverChoosesTheVersionWithMoreStars() throws {
    let (one, other) = (try TemporaryDatabase(), try TemporaryDatabase())
    try one.save("h1", #"{"stars":5}"#)
    try other.save("h1", #"{"stars":3}"#)
    var hotels = CollectionConfiguration(collection: one.collection)
    hotels.conflictResolver = MoreStars()
    let replicator = try Replicator(
      config: ReplicatorConfiguration(collections: [hotels], target: DatabaseEndpoint(database: other.database)))
    replicator.addChangeListener { change in print("\(change.status.activity)") }
    replicator.start()
    lines.wait { $0.last == "stopped" }
    #expect(try other.collection.document(id: "h1")?.int(forKey: "stars") == 5)
  }
}
