@testable import Concordance
import Testing

struct PatternSearchTests {
  private let store: TemporaryDatabase

  init() throws {
    store = try TemporaryDatabase()
    try store.save("src/b.c", #"{"path":"src/b.c","title":"needle","text":"int needle;\n\treturn \"x\";\n"}"#)
    try store.save("src/a/z.c", #"{"path":"src/a/z.c","text":"no\nneedle é\n"}"#)
    try store.save("src.txt", #"{"path":"src.txt","text":"needle"}"#)
    try store.save("r:1", #"{"name":"the needle","tags":["x","a needle\ntwo"],"n":1,"deep":{"s":"needle"}}"#)
  }

  /// `id:line:text` of each line that is shown.
  private func grep(
    _ request: PatternSearchRequest, including isIncluded: (@Sendable (String) -> Bool)? = nil
  ) throws -> [String] {
    var found: [String] = []
    try store.collection.searchLines(request, including: isIncluded) { document -> [String] in
      var lines: [String] = []
      try document.forEachLine { line in
        lines.append("\(document.id):\(line.number ?? 0):" + String(decoding: document.text[line.range], as: UTF8.self))
        return true
      }
      return lines
    } deliver: { lines in
      found += lines
      return true
    }
    return found
  }

  @Test func filesAreSearchedInTheirText() throws {
    #expect(
      try grep(PatternSearchRequest("needle;|^.return \"")) == [
        "src/b.c:1:int needle;\n", "src/b.c:2:\treturn \"x\";\n",
      ])
  }

  @Test func reversedOrderIsReversed() throws {
    var request = PatternSearchRequest("needle")
    for order in [PatternSearchRequest.Order.id, .modified] {
      request.order = order
      request.reversesOrder = false
      let ids = try grep(request).map { $0.prefix { $0 != ":" } }
      request.reversesOrder = true
      #expect(try grep(request).map { $0.prefix { $0 != ":" } } == ids.reversed())
    }
  }

  @Test func recordsAreSearchedInEveryString() throws {
    let lines = try grep(PatternSearchRequest("needle|two")).filter { $0.hasPrefix("r:1") }
    #expect(lines == ["r:1:1:the needle\n", "r:1:3:a needle\n", "r:1:4:two\n", "r:1:5:needle\n"])
  }

  @Test func matchesAcrossLinesStayInTheirString() throws {
    var request = PatternSearchRequest("needle\\s+(two|x)")
    request.isMultiline = true
    #expect(try grep(request) == ["r:1:3:a needle\ntwo\n"])
  }

  @Test(arguments: [
    ("title", ["src/b.c:1:needle"]), ("tags", ["r:1:2:a needle\n"]), ("tags[1]", ["r:1:1:a needle\n"]),
    ("deep", ["r:1:1:needle\n"]), ("tags[]", ["r:1:2:a needle\n"]), ("n", []), ("nosuch", []),
  ]) func onlyTheFieldIsSearched(field: String, expected: [String]) throws {
    var request = PatternSearchRequest("needle")
    request.field = field
    #expect(try grep(request) == expected)
  }

  @Test func invalidFieldPathIsRejected() throws {
    var request = PatternSearchRequest("x")
    request.field = "a..b["
    expectError(CBLError.invalidParameter) { _ = try grep(request) }
  }

  @Test func documentsAreInTheRequestedOrder() throws {
    var request = PatternSearchRequest("needle")
    request.numbersLines = false
    request.maximumCount = 1
    func order() throws -> [Substring] { try grep(request).map { $0.split(separator: ":0:")[0] } }
    #expect(try order() == ["src/b.c", "src/a/z.c", "src.txt", "r:1"])
    request.order = .id
    #expect(try order() == ["r:1", "src/a/z.c", "src/b.c", "src.txt"])
    try store.save("src/b.c", #"{"text":"needle again"}"#)
    request.order = .modified
    #expect(try order() == ["src/a/z.c", "src.txt", "r:1", "src/b.c"])
  }

  @Test(arguments: [
    (["src"], ["src/b.c", "src/a/z.c"]), (["src/"], ["src/b.c", "src/a/z.c"]),
    (["src/a", "src"], ["src/b.c", "src/a/z.c"]),
    (["src.txt"], ["src.txt"]), (["r"], ["r:1"]), (["src."], ["src.txt"]), (["sr"], []),
  ]) func prefixesEndAtComponentBoundaries(prefixes: [String], expected: [String]) throws {
    var request = PatternSearchRequest("needle")
    request.idPrefixes = prefixes
    var searched: [String] = []
    try store.collection.searchLines(request) {
      $0.id
    } deliver: { id in
      searched.append(id)
      return true
    }
    #expect(searched == expected)
  }

  @Test func prefixesWithoutDocumentsAreReported() throws {
    var request = PatternSearchRequest("needle")
    request.idPrefixes = ["src", "sr", "nosuch/"]
    let summary = try store.collection.searchLines(request) { _ in
      1
    } deliver: { _ in
      true
    }
    #expect(summary.missingPrefixes == ["sr", "nosuch/"])
    #expect(summary.documentCount == 2)
  }

  @Test func documentsAreSelectedByTheirIDs() throws {
    #expect(try grep(PatternSearchRequest("needle"), including: { $0 == "src.txt" }) == ["src.txt:1:needle"])
  }

  @Test func deletedDocumentsAreNotSearched() throws {
    let document = try #require(try store.collection.document(id: "src.txt"))
    try store.collection.delete(document: document)
    #expect(try !grep(PatternSearchRequest("needle")).contains { $0.hasPrefix("src.txt") })
  }

  @Test func deliveryCanEndTheSearch() throws {
    var delivered: [String] = []
    let summary = try store.collection.searchLines(PatternSearchRequest("needle")) {
      $0.id
    } deliver: { id in
      delivered.append(id)
      return delivered.count < 2
    }
    #expect(delivered == ["src/b.c", "src/a/z.c"])
    // Documents are searched a few at a time.
    #expect((2...4).contains(summary.documentCount))
  }

  @Test func matchThatExceedsLimitsFailsOnlyItsDocument() throws {
    try store.save("z", #"{"text":"\#(String(repeating: "a", count: 40))!"}"#)
    let outcomes = try outcomes(of: PatternSearchRequest("(a+)+$"))
    #expect(outcomes.count == 5)
    #expect(outcomes.filter { $0.contains("(a+)+$") }.count == 1)
  }

  private func outcomes(of request: PatternSearchRequest) throws -> [String] {
    var outcomes: [String] = []
    try store.collection.searchLines(request) { document -> String in
      do {
        try document.forEachLine { _ in true }
        return "done"
      } catch let error as CBLError {
        return error.message
      }
    } deliver: {
      outcomes.append($0)
      return true
    }
    return outcomes
  }
}
