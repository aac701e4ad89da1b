import DocumentStore
import Foundation

/// A PostgreSQL server of a database on several that a search could not reach; see
/// ``SearchRequest/allowsPartialResults``.
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

extension SearchTransaction {
  /// Returns the servers that the transaction could not reach and leaves out, if the request allows it.
  func missingServers(_ request: SearchRequest, _ storage: (any RemoteStorage)?) throws -> [MissingServer] {
    guard request.allowsPartialResults, let storage else { return [] }
    return try storage.leaveOutMissingNodes(db).map { MissingServer($0) }
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
