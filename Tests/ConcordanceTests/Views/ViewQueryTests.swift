import Concordance
import Foundation
import Testing

/// The options of view queries. The documents and results are those of the tests of Couchbase Lite 1.
@Suite(.filesOnly("views are not available on PostgreSQL"))
struct ViewQueryTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let expected: [String]
    let configure: @Sendable (ViewQuery) -> Void

    init(_ name: String, _ expected: [String], _ configure: @escaping @Sendable (ViewQuery) -> Void) {
      testDescription = name
      self.expected = expected
      self.configure = configure
    }
  }

  static let cases = [
    Case("all", ["five", "four", "one", "three", "two"]) { _ in },
    Case("start a, end one", ["five", "four", "one"]) {
      $0.startKey = "a"; $0.endKey = "one"
    },
    Case("exclusive start", ["four", "one"]) {
      $0.startKey = "five"; $0.endKey = "one"; $0.inclusiveStart = false
    },
    Case("exclusive end", ["five", "four"]) {
      $0.startKey = "a"; $0.endKey = "one"; $0.inclusiveEnd = false
    },
    Case("descending range", ["four", "five"]) {
      $0.isDescending = true; $0.startKey = "o"; $0.endKey = "five"
    },
    Case("descending, exclusive end", ["four"]) {
      $0.isDescending = true; $0.startKey = "o"; $0.endKey = "five"; $0.inclusiveEnd = false
    },
    Case("limit", ["five", "four"]) { $0.limit = 2 },
    Case("skip", ["one", "three", "two"]) { $0.skip = 2 },
    Case("skip and limit", ["one"]) {
      $0.skip = 2; $0.limit = 1
    },
    Case("limit 0", []) { $0.limit = 0 },
    Case("keys in their order", ["two", "four"]) { $0.keys = ["two", "four"] },
    Case("keys without rows", ["two"]) { $0.keys = ["six", "two"] },
    Case("no keys", []) { $0.keys = [] },
    Case("start g", ["one", "three", "two"]) { $0.startKey = "g" },
    Case("start g, descending", ["four", "five"]) {
      $0.startKey = "g"; $0.isDescending = true
    },
    Case("end g", ["five", "four"]) { $0.endKey = "g" },
    Case("end g, descending", ["two", "three", "one"]) {
      $0.endKey = "g"; $0.isDescending = true
    },
    Case("prefix", ["five", "four"]) {
      $0.startKey = "f"; $0.endKey = "f"; $0.prefixMatchLevel = 1
    },
    Case("prefix, descending", ["four", "five"]) {
      $0.startKey = "f"; $0.endKey = "f"; $0.prefixMatchLevel = 1; $0.isDescending = true
    },
    Case("sorted by id", ["one", "two", "three", "four", "five"]) {
      $0.sortDescriptors = [ViewSortDescriptor("documentID")]
    },
    Case("sorted in reverse, limited", ["five", "four"]) {
      $0.sortDescriptors = [ViewSortDescriptor("-documentID")]; $0.limit = 2
    },
    Case("filtered", ["one", "three"]) {
      $0.postFilter = { ($0.key as? String)?.hasSuffix("e") == true }; $0.skip = 1
    },
  ]

  @Test(arguments: cases) func optionsSelectRows(_ test: Case) throws {
    let numbers = try NumberDocuments()
    let query = numbers.view.createQuery()
    test.configure(query)
    #expect(try query.keyTexts() == test.expected)
  }

  @Test func equalKeysAreOrderedByIDAndEmission() throws {
    let numbers = try NumberDocuments()
    try numbers.temporary.save("11112", #"{"key":"one"}"#)
    let query = numbers.view.createQuery()
    query.startKey = "one"
    query.startKeyDocID = "11112"
    query.endKey = "three"
    #expect(try query.ids() == ["11112", "33333"])

    let other = numbers.view.createQuery()
    other.endKey = "one"
    other.endKeyDocID = "11111"
    #expect(try other.keyTexts() == ["five", "four", "one"])
    other.startKey = "one"
    other.startKeyDocID = "11111"
    #expect(try other.ids() == ["11111"])

    try numbers.view.setMap(version: "2") { document, emit in
      emit(document.string(forKey: "key"), -1)
      emit(document.string(forKey: "key"), -2)
    }
    let twice = numbers.view.createQuery()
    #expect(try twice.run().count == 12)
    twice.keys = ["two"]
    #expect(try twice.run().map(\.valueJSON) == ["-1", "-2"])
  }

  @Test func prefixLevelsExtendElementsOfArrays() throws {
    let numbers = try NumberDocuments()
    try numbers.view.setMap(version: "2") { document, emit in
      let id = Int(document.id) ?? 0
      emit([document.string(forKey: "key") ?? "", id], nil)
      emit([document.string(forKey: "key") ?? "", id / 100], nil)
    }
    let query = numbers.view.createQuery()
    query.startKey = ["one"]
    query.endKey = ["one"]
    query.prefixMatchLevel = 1
    #expect(try query.run().map(\.keyJSON) == [#"["one",111]"#, #"["one",11111]"#])
    query.startKey = ["fi"]
    query.endKey = ["fi"]
    #expect(try query.run().isEmpty)
    query.prefixMatchLevel = 2
    #expect(try query.run().map { $0.key(at: 0) as? String } == ["five", "five"])
  }

  @Test func prefixesIncludeKeysAfterTheEmptyObject() throws {
    let numbers = try NumberDocuments()
    try numbers.view.setMap(version: "2") { document, emit in
      guard document.id == "11111" else { return }
      emit(["a"], nil)
      emit(["a", [String: Any](), 1] as [Any], nil)
      emit(["a", ["x": 1] as [String: Any]] as [Any], nil)
      emit(["b"], nil)
      emit("a\u{FFFF}b", nil)
      emit("b", nil)
    }
    let query = numbers.view.createQuery()
    query.startKey = ["a"]
    query.endKey = ["a"]
    query.prefixMatchLevel = 1
    #expect(try query.run().map(\.keyJSON) == [#"["a"]"#, #"["a",{},1]"#, #"["a",{"x":1}]"#])
    query.startKey = "a"
    query.endKey = "a"
    #expect(try query.keyTexts() == ["a\u{FFFF}b"])
  }

  @Test func versionChangesRebuildTheView() throws {
    let numbers = try NumberDocuments()
    #expect(try numbers.view.createQuery().run().count == 5)
    let map: ViewMap = { document, emit in
      let key = document.string(forKey: "key") ?? ""
      emit(key.count > 3 ? String(key.dropFirst(2)) : String(key.suffix(1)), nil)
    }
    #expect(try numbers.view.setMap(version: "2", map))
    #expect(try numbers.view.createQuery().keyTexts() == ["e", "o", "ree", "ur", "ve"])
    #expect(try !numbers.view.setMap(version: "2", map))
  }

  @Test func reducesAndGroups() throws {
    let temporary = try TemporaryDatabase()
    let songs = [
      ("Gang Of Four", "Ether", "Entertainment!", 231),
      ("Gang Of Four", "I Love A Man In Uniform", "Songs Of The Free", 248),
      ("Gang Of Four", "Natural's Not In It", "Entertainment!", 187), ("PiL", "Memories", "Metal Box", 309),
      ("Gang Of Four", "Not Great Men", "Entertainment!", 187),
    ]
    for (number, song) in songs.enumerated() {
      try temporary.collection.save(
        document: MutableDocument(
          id: "\(number)", data: ["artist": song.0, "title": song.1, "album": song.2, "time": song.3]))
    }
    let view = temporary.collection.view(named: "songs")
    try view.setMap(version: "1", reduce: .sum) { document, emit in
      emit(["artist", "album", "title"].map { document.string(forKey: $0) ?? "" }, document.int(forKey: "time"))
    }
    let query = view.createQuery()
    #expect(try query.run().map(\.valueJSON) == ["1162"])
    query.groupLevel = 1
    #expect(
      try query.run().map { $0.toJSON() } == [
        #"{"key":["Gang Of Four"],"value":853}"#, #"{"key":["PiL"],"value":309}"#,
      ])
    query.groupLevel = 2
    #expect(try query.run().map { $0.valueJSON } == ["605", "248", "309"])
    query.isDescending = true
    query.limit = 2
    #expect(try query.run().map { $0.valueJSON } == ["309", "248"])
    query.limit = nil
    query.isDescending = false
    query.isGroupedByKey = true
    #expect(
      try query.run().map { $0.key(at: 2) as? String }
        == songs.map(\.1).sorted {
          let order = ["Ether", "Natural's Not In It", "Not Great Men", "I Love A Man In Uniform", "Memories"]
          return (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0)
        })
    query.mapOnly = true
    #expect(try query.run().map(\.valueJSON) == ["231", "187", "187", "248", "309"])
    query.isGroupedByKey = false
    query.groupLevel = 1
    #expect(try query.run().count == 5)
  }

  @Test func groupsOfTextsByFirstLetterAreCounted() throws {
    let temporary = try TemporaryDatabase()
    for name in ["Alice", "Albert", "Naomi", "Jens", "Jed"] { try temporary.save(name, #"{"name":"\#(name)"}"#) }
    let view = temporary.collection.view(named: "letters")
    try view.setMap(version: "1", reduce: .count) { document, emit in
      emit(document.string(forKey: "name")?.prefix(1).description, nil)
    }
    let query = view.createQuery()
    query.groupLevel = 1
    #expect(try query.run().map { $0.keyJSON + ($0.valueJSON ?? "") } == [#""A"2"#, #""J"2"#, #""N"1"#])
  }

  @Test func groupsWithoutReduceHaveNoValues() throws {
    let temporary = try TemporaryDatabase()
    for (number, type) in ["A", "A", "B", "B", "C", "C"].enumerated() {
      try temporary.save("\(number)", #"{"type":"\#(type)"}"#)
    }
    let view = temporary.collection.view(named: "types")
    try view.setMap(version: "1") { document, emit in emit(document.string(forKey: "type"), nil) }
    let query = view.createQuery()
    query.groupLevel = 1
    #expect(try query.run().map { $0.toJSON() } == [#"{"key":"A"}"#, #"{"key":"B"}"#, #"{"key":"C"}"#])
  }

  static let invalidCases = [
    Case("limit", []) { $0.limit = -1 }, Case("skip", []) { $0.skip = -1 },
    Case("groupLevel", []) { $0.groupLevel = -1 }, Case("prefixMatchLevel", []) { $0.prefixMatchLevel = -1 },
    Case("valeu.x", []) { $0.sortDescriptors = [ViewSortDescriptor("valeu.x")] },
    Case("id", []) { $0.sortDescriptors = [ViewSortDescriptor("-id")] },
  ]

  /// Regression test: negative numbers were ignored, and a misspelt member sorted every row as null.
  @Test(arguments: invalidCases) func invalidOptionsAreErrors(_ test: Case) throws {
    let numbers = try NumberDocuments()
    let queries = [numbers.view.createQuery(), numbers.temporary.collection.createAllDocumentsQuery()]
    for query in queries {
      test.configure(query)
      expectError(CBLError.invalidParameter, test.testDescription) { _ = try query.run() }
    }
  }

  @Test func documentsOfSortedAndFilteredRowsAreFetched() throws {
    let numbers = try NumberDocuments()
    let query = numbers.view.createQuery()
    query.prefetch = true
    query.sortDescriptors = [ViewSortDescriptor("-documentID")]
    query.limit = 2
    #expect(try query.run().map { $0.documentProperties?["key"] as? String } == ["five", "four"])
    query.postFilter = { ($0.documentProperties?["key"] as? String)?.hasPrefix("t") == true }
    #expect(try query.run().map { $0.documentProperties?["key"] as? String } == ["three", "two"])
  }

  @Test func linkedDocumentsAreFetched() throws {
    let numbers = try NumberDocuments()
    let links = ["22222": "11111", "33333": "22222", "44444": "33333", "55555": "44444"]
    try numbers.view.setMap(version: "links") { document, emit in
      emit(document.string(forKey: "key"), ["_id": links[document.id] ?? document.id])
    }
    let query = numbers.view.createQuery()
    query.prefetch = true
    let rows = try query.run()
    #expect(rows.map(\.documentID) == ["44444", "33333", "11111", "22222", "11111"])
    #expect(rows.map { $0.documentProperties?["key"] as? String } == ["four", "three", "one", "two", "one"])
  }

  @Test func allDocumentsAreRowsByID() throws {
    let numbers = try NumberDocuments()
    let query = numbers.temporary.collection.createAllDocumentsQuery()
    #expect(try query.ids() == ["11111", "22222", "33333", "44444", "55555"])
    query.limit = 1
    query.skip = 2
    #expect(try query.ids() == ["33333"])
    query.limit = nil
    query.skip = 0
    query.startKey = "2"
    query.endKey = "44444"
    #expect(try query.ids() == ["22222", "33333", "44444"])
    query.inclusiveEnd = false
    #expect(try query.ids() == ["22222", "33333"])
    query.startKey = nil
    query.endKey = nil
    let deleted = try #require(try numbers.temporary.collection.document(id: "22222"))
    try numbers.temporary.collection.delete(document: deleted)
    #expect(try query.ids() == ["11111", "33333", "44444", "55555"])
    query.keys = ["55555", "none", "22222"]
    let rows = try query.run()
    #expect(rows.map(\.error) == [nil, "not_found", nil])
    #expect(rows[2].valueJSON?.hasSuffix(#""deleted":true}"#) == true)
    query.keys = nil
    query.allDocumentsMode = .includeDeleted
    #expect(try query.ids().count == 5)
    query.allDocumentsMode = .bySequence
    query.isDescending = true
    #expect(try query.run().map(\.keyJSON) == ["5", "4", "3", "2"])
    query.keys = ["55555"]
    expectError(CBLError.invalidParameter, "does not support keys") { _ = try query.run() }
  }
}
