import Concordance
import Testing

/// The Swift examples of the handbook's page on views, compiled and run. An architecture test looks for every code
/// block of the page in this file.
@Suite(.filesOnly("views are not available on PostgreSQL"))
struct HandbookViewsTests {
  private let files: TemporaryDatabase
  private let tasks: Concordance.Collection
  private let lines = Received<String>()

  init() throws {
    files = try TemporaryDatabase()
    tasks = try files.database.createCollection(name: "tasks")
    try tasks.save(
      document: MutableDocument(id: "eggs", data: ["created_at": "2013-07-28", "text": "Six eggs"]))
    try tasks.save(document: MutableDocument(id: "milk", data: ["text": "Milk"]))
  }

  private func print(_ values: Any...) { lines.add(values.map { "\($0)" }.joined(separator: " ")) }

  @Test func maps() async throws {
    let byDate = tasks.view(named: "byDate")
    try byDate.setMap(version: "1.0") { document, emit in
      emit(document.string(forKey: "created_at"), document)
    }
    for row in try byDate.createQuery().run() {
      print(row.keyJSON, row.sourceDocumentID ?? "")  // "2013-07-28" eggs
    }
    let longest = ViewReduce { keys, values, rereduce in values.compactMap { $0 as? Int }.max() }
    try tasks.view(named: "longest").setMap(version: "1", reduce: longest) { document, emit in
      emit(document.id, document.string(forKey: "text")?.count)
    }
    print(try tasks.view(named: "longest").createQuery().run().first?.value ?? "")  // 8
    for try await rows in byDate.createQuery().changes() {
      print(rows.count)  // 1
      break
    }
    #expect(lines.all == [#""2013-07-28" eggs"#, "8", "1"])
  }

  @Test func declarations() throws {
    let hotels = try files.database.createCollection(name: "hotels")
    for (id, type) in ["a": "hotel", "b": "hotel", "c": "inn"] {
      try hotels.save(document: MutableDocument(id: id, data: ["type": type, "city": "Riga", "price": 20]))
    }
    let config = ViewConfiguration(key: "type, city", value: "price", where: "price > 0", reduce: "_stats")
    try hotels.createIndex(withName: "prices", config: config)
    let prices = hotels.view(named: "prices").createQuery()
    prices.groupLevel = 1
    print(try prices.run().map(\.keyJSON).joined(separator: " "))  // ["hotel"] ["inn"]
    #expect(lines.all == [#"["hotel"] ["inn"]"#])
  }
}
