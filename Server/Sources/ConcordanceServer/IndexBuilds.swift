import Concordance
import JSONText
import Synchronization

/// The indexes that requests are currently building.
final class IndexBuilds: Sendable {
  /// The progress of an index.
  struct Build: Sendable {
    let name: String
    fileprivate(set) var indexedCount: UInt64 = 0
    /// The number of documents in the collection; nil before the first progress report.
    fileprivate(set) var documentCount: UInt64?

    func write(to writer: inout JSONWriter) {
      writer.member("name", name)
      writer.member("indexedCount", Int(clamping: indexedCount))
      if let documentCount { writer.member("documentCount", Int(clamping: documentCount)) }
    }
  }

  private struct Entry {
    let database: String
    let collection: String
    var build: Build
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  /// Creates an index on the calling thread and records its progress.
  ///
  /// - Parameter cancellation: cancels the build when it is set.
  func create(
    _ name: String, _ configuration: any IndexConfiguration, in collection: Concordance.Collection,
    _ cancellation: CancellationFlag
  ) throws {
    let entry = Entry(
      database: collection.database.name, collection: collection.fullName, build: Build(name: name))
    let number = state.withLock { state in
      state.lastNumber += 1
      state.entries[state.lastNumber] = entry
      return state.lastNumber
    }
    defer { state.withLock { _ = $0.entries.removeValue(forKey: number) } }
    try collection.createIndex(withName: name, config: configuration) { done, total in
      self.state.withLock { state in
        state.entries[number]?.build.indexedCount = done
        state.entries[number]?.build.documentCount = total
      }
      return !cancellation.isCancelled
    }
  }

  /// Returns the current builds of a collection, oldest first.
  func builds(of collection: Concordance.Collection) -> [Build] {
    let (database, name) = (collection.database.name, collection.fullName)
    return state.withLock { state in
      state.entries.sorted { $0.key < $1.key }.map(\.value)
        .filter { $0.database == database && $0.collection == name }.map(\.build)
    }
  }
}
