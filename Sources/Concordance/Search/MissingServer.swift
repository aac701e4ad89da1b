import DocumentStore
import Foundation
import GRDB

/// A PostgreSQL server of a database on several that a search could not reach; see
/// ``SearchRequest/allowsPartialResults`` and ``PatternSearchRequest/allowsPartialResults``.
public struct MissingServer: Hashable, Sendable, Codable {
  /// The number of the server, from 2: without the first, which has the catalog, a search fails.
  public let number: Int
  /// The first of its shards.
  public let firstShard: Int
  /// The last of its shards.
  public let lastShard: Int
  /// The reason, which names the server.
  public let message: String

  init(_ node: MissingNode) {
    number = node.number
    firstShard = node.shards.lowerBound
    lastShard = node.shards.upperBound
    message = node.message
  }
}

extension Store {
  /// Leaves out the servers that a read transaction could not reach, and returns them; none for a file.
  func missingServers(_ db: GRDB.Database) throws -> [MissingServer] {
    try remote?.allowPartialResults(db).map { MissingServer($0) } ?? []
  }
}

extension [MissingServer] {
  /// Calls `body`. If the document to find similar ones for is not found, it may be on a missing server.
  func reportingMissing<T>(_ likedDocument: String?, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as CBLError where error.code == CBLError.notFound && likedDocument != nil {
      guard let server = first else { throw error }
      throw CBLError(CBLError.cantOpenFile, "\(error.message), or it is on a missing server: \(server.message)")
    }
  }
}

extension SearchTotal {
  /// The number as a lower bound.
  var asLowerBound: SearchTotal { .atLeast(value) }
}
