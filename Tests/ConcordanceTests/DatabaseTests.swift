import Concordance
import Foundation
import Testing

@Suite struct DatabaseTests {
  let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  @Test func batchIsAtomic() throws {
    struct Refusal: Error {}
    try files.database.inBatch {
      try files.save("a", "{}")
      expectRollback(by: Refusal.self) {
        try files.database.inBatch {
          try files.save("b", "{}")
          throw Refusal()
        }
      }
      try files.save("c", "{}")
      #expect(try files.collection.document(id: "c") != nil)
    }
    expectRollback(by: Refusal.self) {
      try files.database.inBatch {
        try files.save("d", "{}")
        throw Refusal()
      }
    }
    var ids: [String] = []
    try files.collection.forEachDocument {
      ids.append($0.id)
      return true
    }
    #expect(ids == ["a", "c"])
    #expect(files.collection.count == 2)
  }

  @Test func collectionsAndScopes() throws {
    let hotels = try files.database.createCollection(name: "hotels", scope: "inventory")
    #expect(hotels.fullName == "inventory.hotels")
    #expect(try files.database.createCollection(name: "hotels", scope: "inventory") == hotels)
    #expect(try files.database.scopes().map(\.name) == ["_default", "inventory"])
    #expect(try files.database.scope(name: "inventory")?.collections() == [hotels])
    #expect(try files.database.scope(name: "none") == nil)
    #expect(try files.database.collection(name: "hotels") == nil)
    try hotels.createIndex(withName: "text", config: FullTextIndexConfiguration(["name"]))
    try hotels.save(document: MutableDocument(id: "x", data: ["name": "one"]))
    try files.database.deleteCollection(name: "hotels", scope: "inventory")
    #expect(try files.database.scopes().map(\.name) == ["_default"])
    expectError(CBLError.notOpen) { try hotels.save(document: MutableDocument()) }
    expectError(CBLError.notOpen) { _ = try hotels.document(id: "x") }
    #expect(try files.database.verify() == [])
    expectError(CBLError.invalidParameter) { _ = try files.database.createCollection(name: "a b") }
  }

  @Test(.filesOnly("deletes a file")) func existingAndDeleting() throws {
    let directory = files.folder.url.path
    #expect(Database.exists(withName: "test", inDirectory: directory))
    // The path of the second name would be that of the file.
    #expect(!Database.exists(withName: "", inDirectory: directory))
    #expect(!Database.exists(withName: "../\(files.folder.url.lastPathComponent)/test", inDirectory: directory))
    try files.database.inBatch {
      expectError(CBLError.transactionNotClosed) { try files.database.delete() }
    }
    try files.database.delete()
    #expect(!Database.exists(withName: "test", inDirectory: directory))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
    expectError(CBLError.notOpen) { try files.save("x", "{}") }
  }

  @Test(arguments: ["", "a/b"]) func badNamesAreRefused(name: String) {
    expectError(CBLError.invalidParameter) { _ = try Database(name: name) }
  }

  @Test func readOnlyDatabaseReadsAndDoesNotWrite() throws {
    try files.save("x", "{}")
    let reader = try files.again(readOnly: true)
    #expect(try reader.defaultCollection().document(id: "x") != nil)
    expectError(CBLError.notWriteable) { try reader.defaultCollection().save(document: MutableDocument()) }
  }

  @Test func maintenanceOfEveryKind() throws {
    try files.collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["name"]))
    for number in 0..<50 { try files.save("\(number)", "{\"name\":\"word \(number)\"}") }
    for type in MaintenanceType.allCases { try files.database.performMaintenance(type: type) }
    #expect(try files.found("word").count == 10)
  }

  @Test func jsonOfEveryKindIsReadBack() throws {
    var random = SystemRandomNumberGenerator()
    for number in 0..<200 {
      let text = randomObject(depth: 4, &random)
      try files.save("\(number)", text)
      let read = try #require(try files.collection.document(id: "\(number)"))
      #expect(read.toJSON() == text)
      // Decoding and encoding it again produces the same values.
      let edited = read.toMutable().setInt(1, forKey: "edited").removeValue(forKey: "edited").toJSON()
      let one = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
      let other = try JSONSerialization.jsonObject(with: Data(edited.utf8)) as? NSDictionary
      #expect(one == other)
    }
  }

  private func randomObject(depth: Int, _ random: inout some RandomNumberGenerator) -> String {
    let members = (0..<Int.random(in: 0...4, using: &random)).map { number in
      "\"k\(number)\":\(randomValue(depth: depth - 1, &random))"
    }
    return "{\(members.joined(separator: ","))}"
  }

  private func randomValue(depth: Int, _ random: inout some RandomNumberGenerator) -> String {
    switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &random) {
    case 0: "null"
    case 1: Bool.random(using: &random) ? "true" : "false"
    case 2: "\(Int64.random(in: .min ... .max, using: &random))"
    case 3: "\(Double.random(in: -1e10...1e10, using: &random))"
    case 4: "\"é\\u0000\\n東\""
    case 5: "\"\""
    case 6: "[\(randomValue(depth: depth - 1, &random)),\(randomValue(depth: depth - 1, &random))]"
    default: randomObject(depth: depth, &random)
    }
  }
}
