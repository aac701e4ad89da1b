import DocumentStore
import Foundation
import Synchronization
import Testing

@testable import Concordance

/// Updates of views.
@Suite(.filesOnly("views are not available on PostgreSQL"))
struct ViewUpdateTests {
  private final class Counter: Sendable {
    let count = Atomic(0)
  }

  @Test func changesAreMappedOnce() throws {
    let temporary = try TemporaryDatabase()
    let calls = Counter()
    let view = temporary.collection.view(named: "lengths")
    try view.setMap(version: "1") { document, emit in
      calls.count.add(1, ordering: .relaxed)
      emit(document.string(forKey: "key"), document.string(forKey: "key")?.count)
    }
    for key in ["one", "two", "three"] { try temporary.save(key, #"{"key":"\#(key)"}"#) }
    #expect(try view.isStale())
    try view.update()
    #expect(calls.count.load(ordering: .relaxed) == 3)
    #expect(try view.lastSequenceIndexed() == 3)
    try temporary.save("three", #"{"key":"3hree"}"#)
    try temporary.save("four", #"{"key":"four"}"#)
    let two = try #require(try temporary.collection.document(id: "two"))
    try temporary.collection.delete(document: two)
    let rows = try view.createQuery().run()
    #expect(rows.map { $0.keyJSON + ($0.valueJSON ?? "") } == [#""3hree"5"#, #""four"4"#, #""one"3"#])
    #expect(calls.count.load(ordering: .relaxed) == 5)
    #expect(try view.rowCount() == 3)
    try temporary.collection.purge(id: "four")
    #expect(try view.createQuery().keyTexts() == ["3hree", "one"])
    #expect(try !view.isStale())
    try view.deleteIndex()
    #expect(try view.rowCount() == 0)
    #expect(try view.createQuery().run().count == 2)
  }

  @Test func viewsPersistAndFunctionsDoNot() throws {
    let numbers = try NumberDocuments()
    try numbers.view.update()
    try numbers.temporary.database.close()
    let database = try numbers.temporary.again()
    let view = try database.view(named: "numbers")
    expectError(CBLError.notFound, "set it with setMap") { _ = try view.createQuery().run() }
    let calls = Counter()
    let isNew = try view.setMap(version: "1") { document, emit in
      calls.count.add(1, ordering: .relaxed)
      emit(document.id, nil)
    }
    #expect(!isNew)
    #expect(try view.createQuery().keyTexts() == ["five", "four", "one", "three", "two"])
    #expect(calls.count.load(ordering: .relaxed) == 0)
    #expect(try database.defaultCollection().views().map(\.name) == ["numbers"])
  }

  @Test func mapErrorsAreReportedAndOtherDocumentsAreIndexed() throws {
    struct Refusal: Error {}
    let temporary = try TemporaryDatabase()
    let view = temporary.collection.view(named: "some")
    try view.setMap(version: "1") { document, emit in
      if document.id == "500" { throw Refusal() }
      if document.id == "501" { emit(document.id, Data()) } else { emit(document.id, nil) }
    }
    try temporary.database.inBatch {
      for number in 0..<1000 { try temporary.save("\(number)", #"{"n":\#(number)}"#) }
    }
    #expect(try view.createQuery().run().count == 998)
    #expect(try view.mapErrors().map(\.documentID) == ["500", "501"])
    #expect(try view.mapErrors().first?.message.contains("Refusal") == true)
    try temporary.collection.purge(id: "500")
    try temporary.collection.purge(id: "501")
    try view.update()
    #expect(try view.mapErrors().isEmpty)
  }

  @Test func queriesReadThePreviousVersionUntilTheNewOneIsCommitted() throws {
    struct Refusal: Error {}
    let numbers = try NumberDocuments()
    let view = numbers.view
    #expect(try view.createQuery().run().count == 5)
    let counts = Received<Int>()
    expectRollback(by: Refusal.self) {
      try numbers.temporary.database.inBatch {
        try view.setMap(version: "2") { document, emit in if document.id < "2" { emit(document.id, nil) } }
        Thread.detachNewThread {
          let query = view.createQuery()
          query.indexUpdateMode = .never
          counts.add((try? query.run().count) ?? -1)
        }
        counts.wait { !$0.isEmpty }
        #expect(try view.createQuery().run().count == 1)
        throw Refusal()
      }
    }
    #expect(counts.all == [5])
    #expect(try view.createQuery().run().count == 5)
  }

  /// An object that reports its release.
  private final class Owned: Sendable {
    let releases: Received<Int>
    let version: Int

    init(_ version: Int, _ releases: Received<Int>) {
      self.version = version
      self.releases = releases
    }

    deinit { releases.add(version) }
  }

  private func setMap(_ view: View, version: Int, _ releases: Received<Int>) throws {
    let owned = Owned(version, releases)
    try view.setMap(version: "\(version)") { _, emit in emit(owned.version, nil) }
  }

  @Test func functionsOfTheEarlierVersionAreReleased() throws {
    struct Refusal: Error {}
    let temporary = try TemporaryDatabase()
    try temporary.save("a", "{}")
    let view = temporary.collection.view(named: "owner")
    let releases = Received<Int>()
    for version in 1...2 { try setMap(view, version: version, releases) }
    #expect(releases.all == [1])
    try temporary.database.inBatch { try setMap(view, version: 3, releases) }
    releases.wait { $0 == [1, 2] }
    expectRollback(by: Refusal.self) {
      try temporary.database.inBatch {
        try setMap(view, version: 4, releases)
        throw Refusal()
      }
    }
    releases.wait { $0 == [1, 2, 4] }
    #expect(try view.createQuery().run().map(\.keyJSON) == ["3"])
  }

  /// Otherwise, they could be removed after the next writer has stored their version again.
  @Test func functionsOfADeletedViewAreRemovedBeforeTheNextWriterRuns() throws {
    let numbers = try NumberDocuments()
    let (view, engine) = (numbers.view, numbers.temporary.database.engine)
    let isRemoved = Received<Bool>()
    try numbers.temporary.database.inBatch {
      try view.delete()
      // Called after the handler of the deletion.
      _ = try engine.store.writeInsideOpenTransaction { transaction in
        transaction.onCompletion { _ in isRemoved.add(engine.views.allFunctions(of: view).isEmpty) }
      }
      #expect(!engine.views.allFunctions(of: view).isEmpty)
    }
    #expect(isRemoved.all == [true])
  }

  /// Otherwise, functions that the next writer sets could be removed.
  @Test func functionsOfAnEarlierVersionAreRemovedBeforeTheNextWriterRuns() throws {
    let temporary = try TemporaryDatabase()
    let (view, engine) = (temporary.collection.view(named: "owner"), temporary.database.engine)
    let (releases, counts) = (Received<Int>(), Received<Int>())
    try setMap(view, version: 1, releases)
    try temporary.database.inBatch {
      try setMap(view, version: 2, releases)
      // Called after the handler of the new version.
      _ = try engine.store.writeInsideOpenTransaction { transaction in
        transaction.onCompletion { _ in counts.add(engine.views.allFunctions(of: view).count) }
      }
      #expect(engine.views.allFunctions(of: view).count == 2)
    }
    #expect(counts.all == [1])
    releases.wait { $0 == [1] }
  }

  @Test func interruptedUpdateIsRolledBack() throws {
    let temporary = try TemporaryDatabase()
    try temporary.save("a", #"{"key":"one"}"#)
    let view = temporary.collection.view(named: "interrupted")
    let interruption = Interruption()
    try interruption.begin()
    try view.setMap(version: "1") { document, emit in
      // As in a long function of SQL++.
      interruption.interrupt()
      try LongCall.check()
      emit(document.string(forKey: "key"), nil)
    }
    #expect(throws: (any Error).self) {
      try Interruption.$current.withValue(interruption) { try view.update() }
    }
    #expect(try view.mapErrors().isEmpty)
    #expect(try view.createQuery().keyTexts() == ["one"])
  }

  @Test func mapFunctionsCannotChangeTheDatabase() throws {
    let temporary = try TemporaryDatabase()
    try temporary.save("a", "{}")
    let view = temporary.collection.view(named: "writer")
    let collection = temporary.collection
    try view.setMap(version: "1") { document, _ in try collection.save(document: MutableDocument(id: "b")) }
    #expect(try view.createQuery().run().isEmpty)
    #expect(try view.mapErrors().first?.message.contains("must not change the database") == true)
    #expect(collection.count == 1)
  }

  @Test func updateModesDecideWhenTheViewIsUpdated() throws {
    let numbers = try NumberDocuments()
    let query = numbers.view.createQuery()
    query.indexUpdateMode = .never
    #expect(try query.run().count == 5)
    try numbers.temporary.save("66666", #"{"key":"six"}"#)
    let rows = try query.run()
    #expect(rows.count == 5)
    #expect(rows.isStale)
    query.indexUpdateMode = .before
    #expect(try query.run().count == 6)
  }

  @Test func rowsAreReturnedIfTheyChanged() throws {
    let numbers = try NumberDocuments()
    let query = numbers.view.createQuery()
    #expect(try query.rowsIfChanged()?.count == 5)
    #expect(try query.rowsIfChanged() == nil)
    try numbers.temporary.save("66666", #"{"key":"six"}"#)
    #expect(try query.rowsIfChanged()?.count == 6)
  }

  @Test func viewsAreUpdatedInBatches() throws {
    let numbers = try NumberDocuments()
    try numbers.temporary.database.inBatch {
      try numbers.temporary.save("66666", #"{"key":"six"}"#)
      #expect(try numbers.view.createQuery().run().count == 6)
    }
    #expect(try numbers.view.createQuery().run().count == 6)
  }

  @Test func viewsAreFilledWhileTheBatchReads() throws {
    let numbers = try NumberDocuments()
    var counts: [Int] = []
    try numbers.temporary.database.inBatch {
      try numbers.temporary.database.createQuery("SELECT META().id FROM _").forEachRow { _ in
        counts.append(try numbers.view.createQuery().run().count)
        return true
      }
    }
    #expect(counts == [5, 5, 5, 5, 5])
    #expect(try numbers.temporary.database.verify().isEmpty)
    try numbers.temporary.save("66666", #"{"key":"six"}"#)
    #expect(try numbers.view.createQuery().run().count == 6)
  }

  @Test func viewsAreExportedAndImported() throws {
    let numbers = try NumberDocuments()
    try numbers.temporary.collection.createIndex(
      withName: "declared", config: ViewConfiguration(key: "`key`", reduce: "_count"))
    try numbers.view.update()
    let copy = try TemporaryDatabase()
    let transfer = try DatabaseImport(into: copy.database)
    try numbers.temporary.database.exportLines { line in
      try line.withUnsafeBytes { try transfer.add(line: $0) }
    }
    _ = try transfer.finish()
    #expect(try copy.collection.views().map(\.name) == ["declared", "numbers"])
    #expect(try copy.collection.view(named: "declared").createQuery().run().map(\.valueJSON) == ["5"])
    // The function is not in the file.
    let view = copy.collection.view(named: "numbers")
    expectError(CBLError.notFound, "set it with setMap") { _ = try view.createQuery().run() }
    try view.setMap(version: "1") { document, emit in emit(document.string(forKey: "key"), nil) }
    #expect(try view.createQuery().keyTexts() == ["five", "four", "one", "three", "two"])
    #expect(try copy.database.verify().isEmpty)
  }

  @Test func documentsInRowsAreOnOneLine() throws {
    let temporary = try TemporaryDatabase()
    try temporary.save("a", "{ \"key\": 1,\n \"n\": [1, 2] }")
    let view = temporary.collection.view(named: "documents")
    try view.setMap(version: "1") { document, emit in emit(1, document) }
    let query = view.createQuery()
    query.prefetch = true
    let document = #"{"key":1,"n":[1,2]}"#
    #expect(try query.run().map { $0.toJSON() } == [#"{"id":"a","key":1,"value":\#(document),"doc":\#(document)}"#])
  }

  @Test func otherProgramsThatChangeTheVersionAreNoticed() throws {
    let numbers = try NumberDocuments()
    try numbers.view.update()
    let other = try numbers.temporary.again()
    try other.view(named: "numbers").setMap(version: "2") { _, _ in }
    expectError(CBLError.conflict, "set the map function again") { _ = try numbers.view.createQuery().run() }
  }

  @Test func expressionsAreStoredWithTheView() throws {
    let temporary = try TemporaryDatabase()
    try temporary.save("a", #"{"type":"hotel","city":"Lyon","price":80}"#)
    try temporary.save("b", #"{"type":"hotel","city":"Riga","price":50}"#)
    try temporary.save("c", #"{"type":"inn","price":20}"#)
    try temporary.save("d", #"{"city":"Oslo"}"#)
    try temporary.collection.createIndex(
      withName: "prices", config: ViewConfiguration(key: "type, city", value: "price", reduce: "_stats"))
    let view = try temporary.again().view(named: "prices")
    let query = view.createQuery()
    query.groupLevel = 1
    #expect(
      try query.run().map { $0.toJSON() } == [
        #"{"key":["hotel"],"value":{"sum":130,"count":2,"min":50,"max":80,"sumsqr":8900}}"#,
        #"{"key":["inn"],"value":{"sum":20,"count":1,"min":20,"max":20,"sumsqr":400}}"#,
      ])
    query.mapOnly = true
    query.groupLevel = 0
    #expect(try query.run().map(\.keyJSON) == [#"["hotel","Lyon"]"#, #"["hotel","Riga"]"#, #"["inn",null]"#])
    expectError(CBLError.invalidParameter) {
      try view.setMap(version: "1") { _, _ in }
    }
    expectError(CBLError.invalidParameter, "_stats") {
      try temporary.collection.createIndex(withName: "x", config: ViewConfiguration(key: "a", reduce: "sum"))
    }
    expectError(CBLError.invalidQuery) {
      try temporary.collection.createIndex(withName: "x", config: ViewConfiguration(key: "a +"))
    }
  }

  @Test func viewsAreVerifiedExportedAndRebuilt() throws {
    let numbers = try NumberDocuments()
    try numbers.temporary.collection.createIndex(
      withName: "declared", config: ViewConfiguration(key: "`key`", value: "*", reduce: "_count"))
    try numbers.temporary.collection.view(named: "declared").update()
    try numbers.view.update()
    #expect(try numbers.temporary.collection.indexSummaries().map(\.kind) == ["view", "view"])
    #expect(try numbers.temporary.database.verify().isEmpty)
    try numbers.temporary.collection.rebuildIndex(forName: "declared")
    #expect(try numbers.temporary.collection.view(named: "declared").createQuery().run().map(\.valueJSON) == ["5"])
    #expect(try numbers.temporary.database.verify().isEmpty)
  }
}
