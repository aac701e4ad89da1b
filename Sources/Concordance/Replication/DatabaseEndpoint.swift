import DocumentStore
import Foundation
import Replication

/// Another database in the same process.
///
/// ```swift
/// let backup = try Database(path: "/mnt/backup/hotels.concord")
/// let config = ReplicatorConfiguration(
///   collections: .fromCollections([hotels]), target: DatabaseEndpoint(database: backup))
/// ```
///
/// The other database must have collections with the same names.
public struct DatabaseEndpoint: Endpoint {
  /// The other database.
  public let database: Database

  /// Creates an endpoint for `database`, another database in the same process.
  public init(database: Database) { self.database = database }

  /// Returns a connector to the database. Throws ``CBLError/notOpen`` if the database is closed.
  public func makeConnector() throws -> any EndpointConnector {
    let id = try withPublicErrors { try DatabaseReplica(database).identity().publicID }
    return Connector(database: database, remoteID: "concordance:\(id)")
  }

  private struct Connector: EndpointConnector {
    let database: Database
    let remoteID: String

    func connect(_ options: EndpointConnectionOptions) async throws -> any ReplicationTransport {
      let (active, passive) = LoopbackTransport.pair()
      do {
        let collections = try await database.engine.readers.run { [database] in
          try database.allCollections()
        }
        let peer = PassivePeer(transport: passive, collections: collections, database: database)
        peer.start()
        return active
      } catch {
        throw ReplicationTransportError(
          code: (error as? CBLError)?.code ?? CBLError.unexpectedError,
          message: "the database cannot be replicated: \(CBLError.message(of: error))")
      }
    }
  }
}
