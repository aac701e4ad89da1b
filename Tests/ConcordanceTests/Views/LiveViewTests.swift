import Concordance
import Foundation
import Testing

/// View queries that run again when documents change.
@Suite(.timeLimit(.minutes(10)), .filesOnly("views are not available on PostgreSQL")) struct LiveViewTests {
  @Test func changesDeliverTheRowsAfterEachChange() async throws {
    let numbers = try NumberDocuments()
    let query = numbers.view.createQuery()
    query.startKey = "six"
    var rows = query.changes(minimumInterval: .zero).makeAsyncIterator()
    #expect(try await rows.next()?.map(\.keyJSON) == [#""three""#, #""two""#])
    try numbers.temporary.save("66666", #"{"key":"six"}"#)
    #expect(try await rows.next()?.map(\.keyJSON) == [#""six""#, #""three""#, #""two""#])
    // A change that does not affect the rows delivers no element.
    try numbers.temporary.save("77777", #"{"key":"five"}"#)
    try numbers.temporary.collection.purge(id: "33333")
    #expect(try await rows.next()?.map(\.keyJSON) == [#""six""#, #""two""#])
  }

  @Test func differencesIdentifyRowsByDocument() async throws {
    let numbers = try NumberDocuments()
    var changes = numbers.view.createQuery().differences(minimumInterval: .zero).makeAsyncIterator()
    #expect(try await changes.next()?.difference.insertions == [0, 1, 2, 3, 4])
    // five four one three two → five four one two zero: the document 33333 has moved.
    try numbers.temporary.save("33333", #"{"key":"zero"}"#)
    let change = try await changes.next()
    #expect(change?.difference.moves.map(\.description) == ["4 → 3"])
    #expect(change?.difference.updates.map(\.description) == ["3 → 4"])
    #expect(change?.rows.map(\.sourceDocumentID) == ["55555", "44444", "11111", "22222", "33333"])
  }

  @Test func newVersionsOfTheViewAreDelivered() async throws {
    let numbers = try NumberDocuments()
    var rows = numbers.view.createQuery().changes(minimumInterval: .zero).makeAsyncIterator()
    #expect(try await rows.next()?.count == 5)
    try numbers.view.setMap(version: "2") { document, emit in
      if document.id < "3" { emit(document.id, nil) }
    }
    #expect(try await rows.next()?.map(\.keyJSON) == [#""11111""#, #""22222""#])
  }

  @Test func updatesAreDeliveredToQueriesThatDoNotUpdateTheView() async throws {
    let numbers = try NumberDocuments()
    let query = numbers.view.createQuery()
    query.indexUpdateMode = .never
    var rows = query.changes(minimumInterval: .zero).makeAsyncIterator()
    #expect(try await rows.next()?.count == 5)
    try numbers.temporary.save("66666", #"{"key":"six"}"#)
    try numbers.view.update()
    #expect(try await rows.next()?.count == 6)
    try numbers.temporary.database.inBatch {
      try numbers.temporary.save("77777", #"{"key":"seven"}"#)
      try numbers.view.update()
    }
    #expect(try await rows.next()?.count == 7)
  }

  @Test func rowsOfALaterUpdateAreDelivered() async throws {
    let numbers = try NumberDocuments()
    let query = numbers.view.createQuery()
    query.indexUpdateMode = .after
    var rows = query.changes(minimumInterval: .zero).makeAsyncIterator()
    #expect(try await rows.next()?.count == 5)
    try numbers.temporary.save("66666", #"{"key":"six"}"#)
    #expect(try await rows.next()?.count == 6)
  }

  @Test func listenersReceiveRowsAndErrors() throws {
    let numbers = try NumberDocuments()
    let received = Received<String>()
    let token = numbers.view.createQuery().addChangeListener(minimumInterval: .zero) { result in
      switch result {
      case .success(let rows): received.add("\(rows.count)")
      case .failure(let error): received.add((error as? CBLError)?.code == CBLError.missingIndex ? "missing" : "other")
      }
    }
    received.wait { $0 == ["5"] }
    try numbers.view.delete()
    try numbers.temporary.save("66666", #"{"key":"six"}"#)
    received.wait { $0 == ["5", "missing"] }
    token.remove()
  }

  /// The live query of a view in the guide to Couchbase Lite 1.
  @Test func liveQueriesOfViewsHaveRows() throws {
    let numbers = try NumberDocuments()
    let live = numbers.view.createQuery().asLiveQuery()
    let changes = Received<Int>()
    live.onChange = { [weak live] in changes.add(live?.rows?.count ?? -1) }
    live.start()
    changes.wait { $0 == [5] }
    try numbers.temporary.save("66666", #"{"key":"six"}"#)
    changes.wait { $0 == [5, 6] }
    live.stop()
  }

  @Test func queriesOfAllDocumentsAreLive() async throws {
    let numbers = try NumberDocuments()
    let query = numbers.temporary.collection.createAllDocumentsQuery()
    query.limit = 2
    var rows = query.changes(minimumInterval: .zero).makeAsyncIterator()
    #expect(try await rows.next()?.map(\.sourceDocumentID) == ["11111", "22222"])
    try numbers.temporary.save("00000", "{}")
    #expect(try await rows.next()?.map(\.sourceDocumentID) == ["00000", "11111"])
  }
}
