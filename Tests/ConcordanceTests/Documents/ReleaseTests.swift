import Foundation
import Testing

@testable import Concordance

/// Objects release replaced values outside their lock. Releasing the last reference to a database ends its listeners,
/// whose closures may hold objects of the program that use the same object again.
@Suite(.timeLimit(.minutes(10))) struct ReleaseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Calls a closure when it is released.
  private final class Release: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }

  /// Returns a document with a blob. Its collection and the blob are the only references to an open database with a
  /// listener.
  private func document(_ atEnd: @escaping @Sendable () -> Void) throws -> Document {
    var config = DatabaseConfiguration()
    config.directory = folder.url.path
    let database = try Database(name: UUID().uuidString, config: config)
    let collection = try database.defaultCollection()
    let draft = MutableDocument(id: "tea")
    draft.setBlob(Blob(contentType: "text/plain", data: Data("leaves".utf8)), forKey: "blob")
    try collection.save(document: draft)
    let release = Release(atEnd)
    _ = collection.addChangeListener { _ in withExtendedLifetime(release) {} }
    return try #require(try collection.document(id: "tea"))
  }

  /// Returns whether `body` returns. It is called on another thread, which does not end after a deadlock.
  private func returns(_ body: @escaping @Sendable () -> Void) -> Bool {
    let done = DispatchSemaphore(value: 0)
    Thread {
      body()
      done.signal()
    }.start()
    return done.wait(timeout: .now() + 20) == .success
  }

  @Test func dictionariesReleaseValuesOutsideTheirLock() throws {
    let properties = MutableDictionaryObject()
    let ended = DispatchSemaphore(value: 0)
    do {
      let document = try document {
        _ = properties.count
        ended.signal()
      }
      properties.setBlob(document.blob(forKey: "blob"), forKey: "blob")
    }
    #expect(returns { properties.setInt(1, forKey: "blob") })
    #expect(ended.wait(timeout: .now() + 20) == .success, "the database is still open")
  }

  @Test func parametersReleaseValuesOutsideTheirLock() throws {
    let parameters = Parameters()
    let ended = DispatchSemaphore(value: 0)
    do {
      let document = try document {
        _ = parameters.value(forName: "blob")
        ended.signal()
      }
      parameters.setBlob(document.blob(forKey: "blob"), forName: "blob")
    }
    #expect(returns { parameters.setInt(1, forName: "blob") })
    #expect(ended.wait(timeout: .now() + 20) == .success, "the database is still open")
  }

  @Test func documentIDsReleaseDocumentsOutsideTheirLock() throws {
    let id = DocumentID(wrappedValue: nil)
    let ended = DispatchSemaphore(value: 0)
    id.document = try document {
      _ = id.wrappedValue
      ended.signal()
    }
    #expect(returns { id.wrappedValue = "pot" })
    #expect(ended.wait(timeout: .now() + 20) == .success, "the database is still open")
  }

  @Test func documentsReleaseTheirCollectionOutsideTheirLock() throws {
    let other = MutableDocument(id: "pot")
    let ended = DispatchSemaphore(value: 0)
    do {
      let document = try document {
        _ = other.collection
        ended.signal()
      }
      other.version = document.version
    }
    #expect(returns { other.version = Document.Version() })
    #expect(ended.wait(timeout: .now() + 20) == .success, "the database is still open")
  }
}
