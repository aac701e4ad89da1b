import Foundation
import Testing

/// Searches without words: `*`, only exclusions, and only filters.
struct SearchBrowsingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let records = [
      #"{"_id":"b","text":"json parser","type":"code","price":4}"#,
      #"{"_id":"a","text":"json and xml","type":"page","price":2.5}"#,
      #"{"_id":"c","text":"xml writer","type":"code","price":9}"#,
    ]
    try folder.write("r.jsonl", records.joined(separator: "\n"))
    #expect(try folder.concord("index", "r.jsonl", "--fields", "text").status == 0)
  }

  private func ids(_ arguments: String...) throws -> [String] {
    let result = try ConcordProcess.run(["search", "--json"] + arguments, in: folder)
    return try result.lines.map { try JSONText($0).string("id") ?? "" }
  }

  @Test func starListsAllDocumentsInIDOrder() throws {
    let result = try folder.concord("search", "*")
    #expect(result.status == 0)
    #expect(result.lines.filter { !$0.hasPrefix(" ") } == ["1. a", "2. b", "3. c"])
    #expect(result.messages.hasPrefix("3 hits sorted by id, "))
    #expect(try ids("*", "-n", "1", "--offset", "1") == ["b"])
    #expect(try folder.concord("search", "*", "--count").output == "3\n")
  }

  @Test func starCanBeSortedAndFiltered() throws {
    #expect(try ids("*", "--sort", "price DESC") == ["c", "b", "a"])
    #expect(try ids("*", "--where", "price > 3") == ["b", "c"])
    #expect(try ids("*", "--select", "type=page") == ["a"])
  }

  @Test func filtersWithoutWordsListDocuments() throws {
    #expect(try ids("--where", "price < 5") == ["a", "b"])
    #expect(try ids("--select", "type=code") == ["b", "c"])
    #expect(try ids("--sort", "price") == ["a", "b", "c"])
    #expect(try folder.concord("search", "--where", "price > 3", "--count").output == "2\n")
  }

  @Test func exclusionsWithoutWordsListOtherDocuments() throws {
    #expect(try ids("--", "-json") == ["c"])
    #expect(try ids("NOT xml") == ["b"])
    #expect(try ids("json OR NOT xml") == ["a", "b"])
    #expect(try ids("* NOT (json xml)") == ["b", "c"])
  }

  @Test func limitZeroPrintsOnlyFacetsAndTotal() throws {
    let result = try folder.concord("search", "-n", "0", "--facet", "type", "*")
    #expect(result.status == 0 && result.output == "\ntype  (3 documents)\n    2  code\n    1  page\n")
    #expect(result.messages.hasPrefix("3 hits sorted by id, "))
    let narrowed = try folder.concord("search", "-n", "0", "--facet", "type", "json", "--where", "price > 3")
    #expect(narrowed.output == "\ntype  (1 document)\n    1  code\n")
    #expect(narrowed.messages.hasPrefix("1 hit, "))
    let none = try folder.concord("search", "-n", "0", "--exact", "zebra")
    #expect(none.status == 1 && none.messages == "concord: nothing found\n")
  }

  @Test func emptySearchIsAUsageError() throws {
    let result = try folder.concord("search", "")
    #expect(result.status == 2 && result.messages.contains("Use '*' to find all documents"))
  }

  @Test func operatorsThatJoinNothingAreReported() throws {
    let result = try folder.concord("search", "AND json")
    #expect(result.messages.contains("concord: \"AND\" was treated as text, because it does not join two terms"))
    #expect(try !folder.concord("search", "json AND parser").messages.contains("treated as text"))
  }

  @Test(arguments: [
    ("(json", #""(" was treated as text, because it has no ")""#),
    ("json)", #"")" was treated as text, because it has no "(""#),
    ("NOT", #""NOT" was treated as text, because no term follows it"#),
  ])
  func unmatchedMarksAreReported(query: String, message: String) throws {
    #expect(try folder.concord("search", query).messages.contains(message))
  }

  @Test(arguments: [
    ("--weight", "title", "concord: --weight takes a field and a number, such as title=2\n"),
    ("--select", "type", "concord: --select takes a property and a value, such as type=hotel\n"),
  ])
  func invalidValuesAreExplained(option: String, value: String, message: String) throws {
    let result = try folder.concord("search", option, value, "json")
    #expect(result.status == 2 && result.messages.hasPrefix(message), "\(result.messages)")
  }

  @Test func wordsThatANDJoinsAreAllRequired() throws {
    #expect(try ids("json NOT xml") == ["b"])
    #expect(try ids("(parser OR writer) AND json") == ["b"])
    let strict = try folder.concord("search", "parser AND writer")
    #expect(strict.status == 1 && strict.messages == "concord: nothing found\n")
    #expect(try ids("parser writer") == ["b", "c"])
  }
}
