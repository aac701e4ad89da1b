@_spi(Command) import Concordance
import Foundation
import Synchronization

/// The collections that `concord sync` replicates.
extension SyncCommand {
  /// The collections of a server.
  enum OfferedCollections {
    /// The server was not asked, because the options name the collections or the target is a file.
    case unused
    /// The server does not list them.
    case unknown
    case names([String])
  }

  /// Asks the server for the names of its collections if they are needed.
  func offeredCollections(_ messages: Messages) throws -> OfferedCollections {
    guard isURL, try global.replicatedCollections().isEmpty else { return .unused }
    let config = try configuration([], try endpoint(nil))
    // This thread does not use it while it waits.
    nonisolated(unsafe) let messages = messages
    let result = SyncCommand.wait {
      try await config.peerCollections { messages.note(SyncRun.offlineMessage($0)) }
    }
    switch result {
    case .success(let names): return names.map { .names($0) } ?? .unknown
    case .failure(let error as CBLError): throw failure(error)
    case .failure(let error): throw error
    }
  }

  /// Returns the collections, which are created on the side that receives.
  func collections(
    _ database: Database, _ other: Database?, _ offered: OfferedCollections, isNew: Bool, _ messages: Messages
  ) throws -> [Concordance.Collection] {
    let names = try global.replicatedCollections()
    var collections =
      try (type == .pull || isNew) && !names.isEmpty
      ? names.map { try SyncCommand.create($0, in: database) } : global.collections(in: database, file)
    switch offered {
    case .unused: break
    case .unknown where isNew:
      messages.warning(
        "the server does not list its collections, so only \(collections.map(\.fullName).joined(separator: ", ")) is "
          + "copied; name others with --collection")
    case .unknown: break
    case .names(let offered):
      // Empty collections that the server does not offer, such as the default collection, are left out.
      let missing = collections.filter { !offered.contains($0.fullName) && $0.count > 0 }
      if type != .pull, !missing.isEmpty {
        throw CommandFailure(
          "the server does not offer the collection \(missing.map(\.fullName).joined(separator: ", ")) of \(file); "
            + "replicate those that it offers with --collection \(offered.joined(separator: ","))")
      }
      collections =
        type == .push
        ? collections.filter { offered.contains($0.fullName) }
        : try offered.map { try SyncCommand.create($0, in: database) }
    }
    if let other {
      if type != .push, names.isEmpty {
        let others = try other.allCollections().map(\.fullName)
        collections = try Set(others + (type == .pull ? [] : collections.map(\.fullName))).sorted().map {
          try SyncCommand.create($0, in: database)
        }
      }
      for collection in collections { _ = try SyncCommand.create(collection.fullName, in: other) }
    }
    return collections
  }

  /// Returns the collection with a name; creates it if it does not exist.
  private static func create(_ name: String, in database: Database) throws -> Collection {
    let (name, scope) = GlobalOptions.collectionName(name)
    return try database.createCollection(name: name, scope: scope)
  }

  /// Deletes collections that this command has created and in which it could not store any document.
  static func deleteEmpty(_ created: [Concordance.Collection], of database: Database) {
    for collection in created {
      // The error that made the command fail is reported, not those of cleaning up. `count` is also 0 if the number
      // cannot be read, but `textSize` then throws.
      try? database.inBatch {
        guard collection.count == 0, try collection.textSize() == 0 else { return }
        try database.deleteCollection(name: collection.name, scope: collection.scope.name)
      }
    }
  }

  /// Blocks until an asynchronous call has returned.
  private static func wait<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) -> Swift.Result<Value, any Error> {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Swift.Result<Value, any Error>>(.failure(CancellationError()))
    Task {
      let outcome: Swift.Result<Value, any Error>
      do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
      result.withLock { $0 = outcome }
      done.signal()
    }
    done.wait()
    return result.withLock { $0 }
  }
}
