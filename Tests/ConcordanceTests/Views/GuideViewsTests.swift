import Concordance
import Foundation
import Testing

/// The examples of the page "Guide: Views" (30 July 2013), with its sections. Live queries and table sources have their
/// own tests.
@Suite(.filesOnly("views are not available on PostgreSQL"))
struct GuideViewsTests {
  private let temporary: TemporaryDatabase
  private var collection: Concordance.Collection { temporary.collection }

  init() throws { temporary = try TemporaryDatabase() }

  // MARK: An Address Book

  @Test func addressBookHasViewsByFirstAndByLastName() throws {
    try temporary.save("bob", #"{"first":"Bob","last":"Dobbs"}"#)
    try temporary.save("ada", #"{"name":"Ada Lovelace"}"#)
    // Older documents have the full name, which the map function splits at the space.
    @Sendable func names(_ document: Document, _ property: String, _ index: Int) -> String? {
      let parts = document.string(forKey: "name")?.split(separator: " ").map(String.init) ?? []
      return document.string(forKey: property) ?? (parts.indices.contains(index) ? parts[index] : nil)
    }
    let first = collection.view(named: "first")
    try first.setMap(version: "1") { document, emit in emit(names(document, "first", 0), nil) }
    let last = collection.view(named: "last")
    try last.setMap(version: "1") { document, emit in emit(names(document, "last", 1), nil) }
    #expect(try first.createQuery().ids() == ["ada", "bob"])
    #expect(try last.createQuery().ids() == ["bob", "ada"])
  }

  @Test func addressBookFindsAPersonByAnyPhoneNumber() throws {
    try temporary.save(
      "bob",
      #"""
      {"first":"Bob","last":"Dobbs","phone":{"home":"408-555-1212","cell":"408-555-3774","work":"650-555-8333"}}
      """#)
    let view = collection.view(named: "phones")
    try view.setMap(version: "1") { document, emit in
      guard let phone = document.dictionary(forKey: "phone") else { return }
      for kind in phone.keys { emit(phone.string(forKey: kind), nil) }
    }
    #expect(try view.createQuery().run().count == 3)
    for number in ["408-555-1212", "408-555-3774", "650-555-8333"] {
      let query = view.createQuery()
      query.keys = [number]
      #expect(try query.run().first?.document()?.string(forKey: "first") == "Bob")
    }
  }

  // MARK: Getting All Documents

  @Test func tenDocumentsWithTheHighestIDsComeInReverseOrder() throws {
    for number in 10..<30 { try temporary.save("doc\(number)", "{}") }
    let query = try temporary.database.createAllDocumentsQuery()
    query.limit = 10
    query.isDescending = true
    var lines: [String] = []
    for row in try query.run() { lines.append("Doc ID = \(row.key)") }
    #expect(lines == (20..<30).reversed().map { "Doc ID = doc\($0)" })
    #expect(try query.run().first?.document()?.id == "doc29")
  }

  // MARK: Creating A View

  private func makeByDate() throws -> View {
    try temporary.save("milk", #"{"created_at":"2013-07-30","text":"Milk"}"#)
    try temporary.save("eggs", #"{"created_at":"2013-07-28","text":"Eggs"}"#)
    try temporary.save("store", #"{"name":"Safeway"}"#)
    let view = try temporary.database.view(named: "byDate")
    try view.setMap(version: "1.0") { document, emit in
      if let date = document.string(forKey: "created_at") { emit(date, document) }
    }
    return view
  }

  @Test func documentsWithoutADateAreNotInTheView() throws {
    let rows = try makeByDate().createQuery().run()
    #expect(rows.map(\.sourceDocumentID) == ["eggs", "milk"])
    #expect(rows[0].valueJSON == #"{"created_at":"2013-07-28","text":"Eggs"}"#)
  }

  @Test func changesOfADocumentAreInTheValueOfItsRow() throws {
    let query = try makeByDate().createQuery()
    let before = try query.run()
    try temporary.save("eggs", #"{"created_at":"2013-07-28","text":"Six eggs"}"#)
    #expect(try query.run()[0].valueJSON == #"{"created_at":"2013-07-28","text":"Six eggs"}"#)
    #expect(before[0].valueJSON == #"{"created_at":"2013-07-28","text":"Eggs"}"#)
  }

  // MARK: Querying The View, Updating Queries

  @Test func everyQueryIsANewObject() throws {
    let view = try makeByDate()
    let one = view.createQuery()
    one.limit = 1
    #expect(view.createQuery() !== one)
    #expect(try view.createQuery().run().count == 2)
  }

  @Test func rowsAreNilIfTheyDidNotChange() throws {
    let query = try makeByDate().createQuery()
    #expect(try query.rowsIfChanged() != nil)
    #expect(try query.rowsIfChanged() == nil)
    try temporary.save("tea", #"{"created_at":"2013-07-29"}"#)
    #expect(try query.rowsIfChanged()?.count == 3)
  }

  // MARK: View and Query Design

  @Test func allRowsAreAscendingOrDescending() throws {
    let query = try makeByDate().createQuery()
    #expect(try query.keyTexts() == ["2013-07-28", "2013-07-30"])
    query.isDescending = true
    #expect(try query.keyTexts() == ["2013-07-30", "2013-07-28"])
  }

  @Test func exactQueriesHaveTheOrderOfTheKeys() throws {
    let query = try makeByDate().createQuery()
    query.keys = ["2013-07-30"]
    #expect(try query.ids() == ["milk"])
    // The page says that the order does not matter; Couchbase Lite 1 and CouchDB return the order of the list.
    query.keys = ["2013-07-30", "2013-07-28"]
    #expect(try query.ids() == ["milk", "eggs"])
  }

  @Test func rangesIncludeBothEnds() throws {
    let query = try makeByDate().createQuery()
    query.startKey = "2013-07-28"
    query.endKey = "2013-07-30"
    #expect(try query.ids() == ["eggs", "milk"])
    query.isDescending = true
    #expect(try query.run().isEmpty)
    query.startKey = "2013-07-30"
    query.endKey = "2013-07-28"
    #expect(try query.ids() == ["milk", "eggs"])
  }

  private func makeStores(_ first: String = "store", _ second: String = "item") throws -> View {
    let items = [
      ("Whole Foods", "cruelty-free chakra lotion"), ("Safeway", "tonic water"), ("Safeway", "goldfish crackers"),
      ("Trader Joe's", "chocolate chip cookies"),
    ]
    for (store, item) in items {
      try collection.save(document: MutableDocument(id: item, data: ["store": store, "item": item]))
    }
    let view = collection.view(named: "\(first)s")
    try view.setMap(version: "1") { document, emit in
      emit([document.string(forKey: first) ?? "", document.string(forKey: second) ?? ""], nil)
    }
    return view
  }

  @Test func compoundKeysAreSortedByTheirElements() throws {
    #expect(
      try makeStores().createQuery().run().map(\.keyJSON) == [
        #"["Safeway","goldfish crackers"]"#, #"["Safeway","tonic water"]"#,
        #"["Trader Joe's","chocolate chip cookies"]"#,
        #"["Whole Foods","cruelty-free chakra lotion"]"#,
      ])
  }

  @Test func twoViewsHaveBothOrders() throws {
    let items = try makeStores("item", "store").createQuery()
    items.startKey = ["tonic water"]
    items.endKey = ["tonic water", [String: Any]()]
    #expect(try items.run().map { $0.key(at: 1) as? String } == ["Safeway"])
    #expect(try makeStores().createQuery().run().first?.key(at: 0) as? String == "Safeway")
  }

  @Test func emptyObjectsEndRangesOfCompoundKeys() throws {
    let query = try makeStores().createQuery()
    query.startKey = ["Safeway"]
    query.endKey = ["Safeway", [String: Any]()]
    #expect(try query.ids() == ["goldfish crackers", "tonic water"])
  }
}
