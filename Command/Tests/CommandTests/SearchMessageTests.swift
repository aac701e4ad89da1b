import Foundation
import Testing

/// Messages of `concord search` about misleading queries and options.
struct SearchMessageTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let records = [
      #"{"_id":"a","text":"coffee coffee by the sea","type":"bar","price":4}"#,
      #"{"_id":"b","text":"coffee","type":"hotel","price":2.5}"#,
      #"{"_id":"c","text":"coffee beans and tea","type":"bar","price":true}"#,
    ]
    try folder.write("r.jsonl", records.joined(separator: "\n"))
    #expect(try folder.concord("index", "r.jsonl", "--fields", "text").status == 0)
  }

  private static let types = "\ntype  (3 documents)\n    2  bar\n    1  hotel\n"

  @Test func explainReportsThatFTS5ScoresCannotBeExplained() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.txt", "apple")
    let result = try ConcordProcess.shell(
      "concord index -q a.txt && sqlite3 corpus.concord 'DELETE FROM concordance_fl_1' && concord search --explain apple",
      in: folder)
    #expect(result.status == 0)
    #expect(result.messages.contains("the scores are those of FTS5, which cannot be explained; `concord verify`"))
    let verified = try ConcordProcess.run(["verify"], in: folder)
    #expect(verified.output.contains("its document lengths are missing"))
  }

  @Test func facetsShowSelectableValuesWhenNothingMatches() throws {
    let none = try folder.concord("search", "coffee", "--facet", "type", "--select", "type=museum")
    #expect(none.status == 1 && none.output == SearchMessageTests.types)
    #expect(none.messages == "concord: nothing found\n")
    let json = try folder.concord("search", "--json", "coffee", "--facet", "type", "--select", "type=museum")
    #expect(json.status == 1 && json.lines.count == 1 && json.output.contains(#"{"value":"bar","count":2}"#))
    // No facets are printed if no document matches at all.
    #expect(try folder.concord("search", "--exact", "zebra", "--facet", "type").output.isEmpty)
  }

  @Test func facetsFollowTheCount() throws {
    let count = try folder.concord("search", "--count", "coffee", "--facet", "type", "--select", "type=hotel")
    #expect(count.status == 0 && count.output == "1\n" + SearchMessageTests.types)
    let none = try folder.concord("search", "--count", "--json", "coffee", "--facet", "type", "--select", "type=museum")
    #expect(none.status == 1 && none.lines.count == 2 && none.lines.first == #"{"count":0}"#)
  }

  @Test(arguments: [
    (["cofee", "--where", "type = 'museum'"], "nothing found with these conditions, not even for coffee"),
    (["cofee", "--offset", "9"], "nothing found beyond the first 9 hits for coffee"),
    (
      ["coffee", "zebra", "--offset", "9"], "nothing found beyond the first 9 hits for any of the words of coffee zebra"
    ),
    (["coffee", "--where", "type = 'museum'"], "nothing found"),
  ])
  func nothingFoundIsReportedInOneMessage(arguments: [String], message: String) throws {
    let result = try ConcordProcess.run(["search"] + arguments, in: folder)
    #expect(result.status == 1 && result.output.isEmpty && result.messages == "concord: \(message)\n")
  }

  @Test func unknownFieldIsReported() throws {
    let none = try folder.concord("search", "country:abc")
    #expect(none.messages.hasPrefix("concord: nothing found: the index \"search\" has no field \"country\""))
    #expect(none.messages.hasSuffix("it has text\n"))
    let some = try folder.concord("search", "type:bar coffee")
    #expect(some.status == 0 && some.messages.contains("has no field \"type\""))
    for query in ["coffee -typ:bar", "-typ:bar coffee"] {
      for options in [[], ["--exact"]] {
        let unwanted = try ConcordProcess.run(["search"] + options + ["--", query], in: folder)
        #expect(unwanted.status == 0 && unwanted.messages.contains("has no field \"typ\""), "\(query)")
      }
    }
    let twice = try folder.concord("search", "text:text:zebra")
    #expect(
      twice.messages
        == "concord: nothing found: text: is read as text because it follows another field\n")
    let apart = try folder.concord("search", "Text: zebra")
    #expect(
      apart.messages == "concord: nothing found: Text: is read as text because a space follows its colon; "
        + "remove the space\n")
    for query in ["http://zebra", "std::zebra", "12:30", "zebra:"] {
      #expect(try folder.concord("search", query).messages == "concord: nothing found\n", "\(query)")
    }
  }

  @Test(arguments: [
    ["--where", "typ = 'bar'"], ["--sort", "typ DESC, price"], ["--facet", "typ"], ["--select", "typ=bar"],
    ["--count", "--where", "ANY x IN typ SATISFIES x = 1 END"], ["--facet", "typ[].a"],
  ])
  func missingPropertiesAreReported(options: [String]) throws {
    let result = try ConcordProcess.run(["search", "coffee"] + options, in: folder)
    #expect(
      result.messages.contains("concord: no document has a property typ; did you mean type?\n"), "\(result.messages)")
    #expect(!result.messages.contains("property price"))
  }

  @Test func existingPropertiesAreNotReported() throws {
    let result = try folder.concord(
      "search", "coffee", "--where", "price > 9", "--facet", "type", "--sort", "META().id")
    #expect(!result.messages.contains("property"))
  }

  @Test(arguments: [
    (["--like", "a", "--syntax", "fts5"], "--syntax"), (["--like", "a", "--exact"], "--exact"),
    (["coffee", "--count", "--explain"], "--explain"), (["coffee", "--count", "--sort", "price"], "--sort"),
    (["coffee", "--count", "--offset", "1"], "--offset"),
    (["coffee", "--count", "--json", "--document"], "--document"),
    (["coffee", "--where", "price > $a", "--param", "a=1", "--param", "ab=2"], "--where has no parameter $ab"),
    (["--syntax", "fts5", "tea OR cofee~"], "cofee~"), (["coffee", "-n", "-1"], "-n takes 0 or more, not -1"),
    (["coffee", "--limit", "-1"], "--limit takes 0 or more"),
    (["coffee", "--snippets", "101"], "--snippets takes at most 100, not 101"),
  ])
  func optionsWithoutEffectAreErrors(arguments: [String], message: String) throws {
    let result = try ConcordProcess.run(["search"] + arguments, in: folder)
    #expect(result.status == 2 && result.output.isEmpty && result.messages.contains(message), "\(result.messages)")
  }

  @Test func tildeInQuotationMarksIsLiteral() throws {
    #expect(try folder.concord("search", "--syntax", "fts5", "\"coffee~\"").status == 0)
  }

  @Test func probableCorrectionIsSuggested() throws {
    let records = (0..<110).map { #"{"_id":"n\#($0)","text":"temperature"}"# } + [#"{"_id":"t","text":"temprature"}"#]
    try folder.write("t.jsonl", records.joined(separator: "\n"))
    #expect(try folder.concord("index", "t.jsonl", "--fields", "text").status == 0)
    let result = try folder.concord("search", "temprature")
    #expect(result.lines.first?.hasPrefix("1. t ") == true)
    #expect(result.messages.hasPrefix("concord: did you mean temperature?\n1 hit"))
  }

  @Test func prefixesOfTermsAreFolded() throws {
    for prefix in ["COF", "cof*", "Cöf"] {
      #expect(try folder.concord("terms", prefix).lines.last?.hasPrefix("coffee ") == true, "\(prefix)")
    }
  }
}
