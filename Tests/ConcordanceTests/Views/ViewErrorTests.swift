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
}
