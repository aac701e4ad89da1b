import Concordance
import Foundation
import Testing

/// The index that a query uses according to its explanation. The rows must be the same as without it.
@Suite struct IndexChoiceTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    try test.database.inBatch {
      for number in 0..<60 {
        let contacts = #"[{"type": "work", "phones": ["\#(number)", "\#(number + 1)"]}, {"type": "t\#(number % 7)"}]"#
        try test.save(
          "d\(number)",
          #"{"n": \#(number), "type": "t\#(number % 5)", "name": "Name \#(number % 9)", "contacts": \#(contacts)}"#)
      }
    }
  }

  /// Checks that the rows are the same without and with the indexes. Returns how the first source is read with them.
  private func check(_ query: String, _ indexes: [String: any IndexConfiguration]) throws -> (
    access: String, index: String?
  ) {
    func rows() throws -> [String] { try test.database.createQuery(query).execute().map { $0.toJSON() } }
    let before = try rows()
    for (name, config) in indexes { try test.collection.createIndex(withName: name, config: config) }
    #expect(try rows().sorted() == before.sorted(), "\(query)")
    #expect(!before.isEmpty, "\(query)")
    if query.contains("ORDER BY") { #expect(try rows() == before, "\(query)") }
    let step = try test.database.createQuery(query).explanation().steps[0]
    return (step.access.rawValue, step.index)
  }

  @Test func indexWithMoreConditionsIsUsed() throws {
    let choice = try check(
      "SELECT n FROM _ WHERE type = 't1' AND n > 30 ORDER BY n",
      ["one": ValueIndexConfiguration(["type"]), "two": ValueIndexConfiguration(["type", "n"])])
    #expect(choice == ("valueIndexSearch", "two"))
  }

  @Test func expressionsAndCollations() throws {
    #expect(
      try check("SELECT n FROM _ WHERE LOWER(name) = 'name 3'", ["lower": ValueIndexConfiguration(["LOWER(name)"])])
        == ("valueIndexSearch", "lower"))
    #expect(
      try check(
        "SELECT n FROM _ WHERE name = 'nAME 4' COLLATE NOCASE ORDER BY n",
        ["nocase": ValueIndexConfiguration(["name COLLATE NOCASE"])]) == ("valueIndexSearch", "nocase"))
    #expect(
      try check(
        "SELECT name, n FROM _ WHERE name > 'náme 4' COLLATE (UNICODE NOCASE NODIAC) ORDER BY n",
        ["unicode": ValueIndexConfiguration(["name COLLATE (UNICODE NOCASE NODIAC)"])])
        == ("valueIndexSearch", "unicode"))
  }

  @Test func partialIndexesAreUsedForTheirCondition() throws {
    let index = ["some": ValueIndexConfiguration(["n"], where: "type = 't1'")]
    #expect(try check("SELECT n FROM _ WHERE n > 30 AND type = 't1' ORDER BY n", index) == ("valueIndexSearch", "some"))
    #expect(try check("SELECT n FROM _ WHERE n > 30 ORDER BY n", index) == ("scan", nil))
  }

  @Test func ordersAndGroups() throws {
    let index = ["n": ValueIndexConfiguration(["n"]), "type": ValueIndexConfiguration(["type"])]
    #expect(try check("SELECT name FROM _ ORDER BY n DESC LIMIT 3", index) == ("valueIndexScan", "n"))
    #expect(
      try check("SELECT type, COUNT(*) AS c FROM _ GROUP BY type ORDER BY type", index) == ("valueIndexScan", "type"))
    let explanation = try test.database.createQuery("SELECT type, COUNT(*) FROM _ GROUP BY type").explanation()
    #expect(!explanation.steps[0].readsDocuments)
    // Virtual tables are not read in the order of groups.
    #expect(explanation.isGroupedBySorting != TestStore.isFile)
    #expect(try !test.database.createQuery("SELECT name FROM _ ORDER BY n LIMIT 3").explanation().isSorted)
  }

  @Test func nullsMayBeAtTheOtherEnd() throws {
    try test.save("none", #"{"name": "x", "type": "t1"}"#)
    try test.save("null", #"{"n": null, "name": "y", "type": "t1"}"#)
    for (index, query) in [
      (["n", "name"], "SELECT name FROM _ ORDER BY n NULLS LAST LIMIT 61"),
      (["n", "name"], "SELECT name FROM _ ORDER BY n NULLS LAST, name LIMIT 62"),
      (["n", "name"], "SELECT name FROM _ ORDER BY n DESC NULLS FIRST LIMIT 3 OFFSET 2"),
      (["type", "n"], "SELECT n FROM _ WHERE type = 't1' ORDER BY n NULLS LAST LIMIT 14"),
      (["n", "name"], "SELECT n FROM _ WHERE n > 7 ORDER BY n NULLS LAST LIMIT 5"),
      (["n", "name"], "SELECT n FROM _ ORDER BY n, name NULLS FIRST LIMIT 5"),
    ] {
      func rows() throws -> [String] { try test.database.createQuery(query).execute().compactMap { $0.string(at: 0) } }
      let before = try rows()
      try test.collection.createIndex(withName: "i", config: ValueIndexConfiguration(index))
      let explanation = try test.database.createQuery(query).explanation()
      #expect(explanation.steps[0].index == "i", "\(query)")
      // Virtual tables are not read in the order of NULLS FIRST and LAST.
      #expect(!explanation.isSorted || !TestStore.isFile, "\(query)")
      let after = try rows()
      // The last rows, which have no `n`, are in any order unless the query also sorts them by name.
      #expect(query.contains("61") ? after.prefix(60) == before.prefix(60) : after == before, "\(query)")
      try test.collection.deleteIndex(forName: "i")
    }
  }

  @Test func idsAreLookedUp() throws {
    #expect(try check("SELECT n FROM _ WHERE META().id = 'd7'", [:]).access == "documentID")
    #expect(try check("SELECT n FROM _ WHERE META().id IN ('d7', 'd9', 5)", [:]).access == "documentID")
  }

  @Test func alternatives() throws {
    let index = ["n": ValueIndexConfiguration(["n"]), "type": ValueIndexConfiguration(["type"])]
    #expect(try check("SELECT n FROM _ WHERE n = 7 OR type = 't2' OR n = 9", index) == ("valueIndexSearch", "n, type"))
    #expect(try check("SELECT n FROM _ WHERE n = 7 OR name = 'Name 2'", index) == ("scan", nil))
  }

  @Test func elementsOfArrays() throws {
    let phones = ["phones": ArrayIndexConfiguration(path: "contacts[].phones")]
    #expect(
      try check("SELECT d.n, p FROM _ AS d UNNEST d.contacts AS c UNNEST c.phones AS p WHERE p = '12'", phones)
        == ("arrayIndexSearch", "phones"))
    let types = ["types": ArrayIndexConfiguration(path: "contacts", expressions: ["type"])]
    #expect(
      try check("SELECT n FROM _ WHERE ANY c IN contacts SATISFIES c.type = 't3' AND c.phones IS MISSING END", types)
        == ("arrayIndexSearch", "types"))
    #expect(
      try check("SELECT d.n, c.type FROM _ AS d UNNEST d.contacts AS c WHERE c.type IN ('t1', 't2')", types)
        == ("arrayIndexSearch", "types"))
  }

  @Test func joinsUseIndexes() throws {
    let other = try test.database.createCollection(name: "other")
    for number in 0..<5 {
      try other.save(document: MutableDocument(id: "t\(number)", data: ["label": number, "key": "t\(number)"]))
    }
    let queries = [
      "SELECT d.n, o.label FROM _ AS d JOIN other AS o ON META(o).id = d.type WHERE d.n < 20",
      "SELECT d.n, o.label FROM _ AS d JOIN other AS o ON o.`key` = d.type WHERE d.n < 20",
      "SELECT d.n, o.label FROM _ AS d LEFT JOIN other AS o ON o.`key` = d.type AND o.label > 2 ORDER BY d.n",
      "SELECT o.label, COUNT(*) AS c FROM other AS o JOIN _ AS d ON d.type = o.`key` GROUP BY o.label ORDER BY o.label",
    ]
    func rows() throws -> [[String]] {
      try queries.map { try test.database.createQuery($0).execute().map { $0.toJSON() }.sorted() }
    }
    let before = try rows()
    #expect(before.map(\.count) == [20, 20, 60, 5])
    #expect(try test.database.createQuery(queries[0]).explanation().steps[1].access == .documentID)
    #expect(try test.database.createQuery(queries[1]).explanation().steps[1].access == .temporaryIndex)
    try other.createIndex(withName: "key", config: ValueIndexConfiguration(["`key`"]))
    try test.collection.createIndex(withName: "type", config: ValueIndexConfiguration(["type"]))
    #expect(try rows() == before)
    #expect(try test.database.createQuery(queries[1]).explanation().steps[1].access == .valueIndexSearch)
  }

  @Test func reasonsAreGiven() throws {
    try test.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    for (condition, reason) in [
      ("n != 3", "!= excludes few documents"), ("name = 'x'", "no condition compares n with a value"),
      ("NOT n = 3", "n is compared inside NOT"), ("n = 'x' COLLATE NOCASE", "n is compared with another collation"),
      ("n = name", "n is compared with another property, not with a value"),
      ("META().deleted", "the query includes deleted documents, which indexes do not contain"),
    ] {
      let step = try test.database.createQuery("SELECT n FROM _ WHERE \(condition)").explanation().steps[0]
      #expect(step.unusedIndexes.map(\.reason) == [reason], "\(condition)")
    }
    let text = try test.database.createQuery("SELECT n FROM _ WHERE n > 3").explain()
    #expect(text.contains("_: value index \"n\" is searched for n > 3"), "\(text)")
  }
}
