import DocumentStore
import Foundation
import GRDB
import Testing

@testable import Concordance

/// Documents whose rows cannot be stored.
@Suite(.filesOnly("views are not available on PostgreSQL")) struct ViewErrorTests {
  private let temporary: TemporaryDatabase
  private let view: View

  init() throws {
    temporary = try TemporaryDatabase()
    view = temporary.collection.view(named: "view")
  }

  @Test func rowThatIsNestedTooDeepIsAnErrorOfItsDocument() throws {
    try view.setMap(version: "1") { document, emit in
      var value: Any = 1
      for _ in 0..<document.int(forKey: "depth") { value = [value] as [Any] }
      emit(document.id, value)
    }
    for depth in [1000, 1001, 1002] { try temporary.save("\(depth)", #"{"depth":\#(depth)}"#) }
    #expect(try view.createQuery().run().map(\.sourceDocumentID) == ["1000"])
    #expect(try view.mapErrors().map(\.documentID) == ["1001", "1002"])
    #expect(try view.mapErrors().first?.message.contains("nested more than 1000 levels") == true)
  }

  @Test func documentInsideAnArrayIsNestedTooDeep() throws {
    try view.setMap(version: "1") { document, emit in emit(document.id, [document] as [Any]) }
    let arrays = String(repeating: "[", count: 999) + String(repeating: "]", count: 999)
    try temporary.save("deep", #"{"a":\#(arrays)}"#)
    try temporary.save("flat", "{}")
    #expect(try view.createQuery().run().map(\.sourceDocumentID) == ["flat"])
    #expect(try view.mapErrors().map(\.documentID) == ["deep"])
  }

  /// An update after more purges than the purge log contains.
  @Test func purgedDocumentsHaveNoErrors() throws {
    struct Refusal: Error {}
    try view.setMap(version: "1") { document, emit in
      if document.id == "bad" { throw Refusal() }
      emit(document.id, nil)
    }
    try temporary.save("bad", "{}")
    try view.update()
    #expect(try view.mapErrors().count == 1)
    try temporary.collection.purge(id: "bad")
    try temporary.database.engine.store.write { transaction in
      try transaction.db.execute(sql: "DELETE FROM concordance_purge")
      try transaction.db.execute(
        sql: "UPDATE concordance_collection SET last_sequence = last_sequence + ?", arguments: [PurgeLog.retainedCount])
    }
    try temporary.save("good", "{}")
    try view.update()
    #expect(try view.mapErrors().isEmpty)
    #expect(try view.createQuery().run().map(\.sourceDocumentID) == ["good"])
  }

  @Test func functionRemainsIfTheDeletionIsRolledBack() throws {
    struct Refusal: Error {}
    try view.setMap(version: "1") { document, emit in emit(document.id, nil) }
    try temporary.save("a", "{}")
    try? temporary.database.inBatch {
      try view.delete()
      throw Refusal()
    }
    #expect(try view.createQuery().run().map(\.sourceDocumentID) == ["a"])
  }

  @Test func functionThatIsSetAfterTheDeletionRemains() throws {
    try view.setMap(version: "1") { document, emit in emit("old", nil) }
    try temporary.save("a", "{}")
    try temporary.database.inBatch {
      try view.delete()
      try view.setMap(version: "1") { document, emit in emit("new", nil) }
    }
    #expect(try view.createQuery().run().map(\.keyJSON) == ["\"new\""])
    try view.delete()
    #expect(temporary.database.engine.views.allFunctions(of: view).isEmpty)
  }

  /// Functions of another thread whose version was stored remain if those of this thread cannot be stored.
  @Test func functionsOfOtherThreadsRemain() {
    let registry = ViewRegistry()
    func functions(_ version: String) -> ViewFunctions {
      ViewFunctions(configuration: ViewConfiguration(version: version, reduce: nil), map: { _, _ in }, reduce: nil)
    }
    func isKnown(_ functions: ViewFunctions) -> Bool {
      registry.functions(of: view, functions.configuration) === functions
    }
    let (first, second, third) = (functions("1"), functions("2"), functions("3"))
    _ = registry.add(first, for: view)
    registry.didStore(first, for: view)
    for added in [second, third] { _ = registry.add(added, for: view) }
    registry.withdraw(second, restoring: nil, for: view)
    #expect(isKnown(first) && !isKnown(second) && isKnown(third))
    // The third version is stored after the fourth, although it was set before.
    let fourth = functions("4")
    _ = registry.add(fourth, for: view)
    registry.didStore(fourth, for: view)
    #expect(!isKnown(first) && isKnown(third) && isKnown(fourth))
    // Functions of the same version are put back.
    let other = functions("4")
    let replaced = registry.add(other, for: view)
    #expect(isKnown(other) && !isKnown(fourth))
    registry.withdraw(other, restoring: replaced, for: view)
    #expect(isKnown(fourth))
  }

  /// A thread that waits for another one to delete the view creates it again.
  @Test func functionsThatAnotherThreadHasDeletedAreAddedAgainIfTheirVersionIsStored() {
    let registry = ViewRegistry()
    let added = [1, 2].map { _ in
      ViewFunctions(configuration: ViewConfiguration(version: "1", reduce: nil), map: { _, _ in }, reduce: nil)
    }
    _ = registry.add(added[0], for: view)
    registry.remove(registry.allFunctions(of: view), for: view)
    registry.didStore(added[0], for: view)
    #expect(registry.latestFunctions(of: view) == nil)
    registry.didStore(added[0], for: view, hasWrittenVersion: true)
    #expect(registry.latestFunctions(of: view) === added[0])
    // Functions that were replaced since are not put back.
    _ = registry.add(added[1], for: view)
    registry.didStore(added[0], for: view, hasWrittenVersion: true)
    #expect(registry.allFunctions(of: view).count == 1 && registry.latestFunctions(of: view) === added[1])
  }

  /// The writing thread keeps all completion handlers until the last one has returned.
  @Test func deletedFunctionIsNotReleasedByTheWritingThread() throws {
    let isReleased = DispatchSemaphore(value: 0)
    try setMap(owning: Owner(isReleased))
    let engine = temporary.database.engine
    var result: DispatchTimeoutResult?
    try temporary.database.inBatch {
      try view.delete()
      _ = try engine.store.writeInsideOpenTransaction { transaction in
        transaction.onCompletion { _ in result = isReleased.wait(timeout: .now() + 20) }
      }
    }
    #expect(result == .success)
  }

  private func setMap(owning owner: Owner) throws {
    try view.setMap(version: "1") { document, emit in
      _ = owner
      emit(document.id, nil)
    }
  }

  /// Earlier versions did not always remove the errors of purged documents.
  @Test func errorOfAPurgedDocumentIsNotDamage() throws {
    try temporary.collection.createIndex(withName: "view", config: ViewConfiguration(key: "n"))
    try temporary.save("a", #"{"n":1}"#)
    try view.update()
    try temporary.database.engine.store.write { transaction in
      let table = try String.fetchOne(
        transaction.db, sql: "SELECT name FROM sqlite_master WHERE name GLOB 'concordance_vw_*_errors'")
      try transaction.db.execute(sql: "INSERT INTO \(try #require(table)) VALUES ('purged', 'refused')")
    }
    #expect(try temporary.database.verify() == [])
    #expect(try view.mapErrors().isEmpty)
  }
}

/// An object that a map function owns.
private final class Owner: Sendable {
  private let isReleased: DispatchSemaphore

  init(_ isReleased: DispatchSemaphore) { self.isReleased = isReleased }

  deinit { isReleased.signal() }
}
