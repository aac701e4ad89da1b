import Foundation
import Testing

/// Hints for misspelt names of commands and properties.
struct HintTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "r.jsonl", #"{"_id":"a","name":"Anna","address":{"street":"Elm"}}"# + "\n" + #"{"_id":"b","size":2}"#)
    #expect(try folder.concord("index", "-q", "r.jsonl").status == 0)
  }

  @Test func helpOfAnUnknownCommandIsAnError() throws {
    let unknown = try folder.concord("help", "nosuch")
    #expect(unknown.status == 2 && unknown.output.isEmpty)
    #expect(unknown.messages.hasPrefix("concord: there is no command \"nosuch\"\n"))
    let misspelt = try folder.concord("help", "serach")
    #expect(misspelt.status == 2)
    #expect(misspelt.messages.hasPrefix("concord: there is no command \"serach\"; did you mean search?\n"))
    let known = try folder.concord("help", "search")
    #expect(known.status == 0 && known.messages.isEmpty && known.output.contains("concord search"))
    #expect(try folder.concord("help").status == 0)
  }

  @Test(arguments: [
    ("SELECT nmae FROM _", "no document has a property nmae; did you mean name?"),
    ("SELECT x.nmae FROM _ AS x", "no document has a property nmae; did you mean name?"),
    ("SELECT COUNT(*) FROM _ WHERE syze > 1", "no document has a property syze; did you mean size?"),
    ("SELECT address.stret FROM _", "no document has a property address.stret; did you mean address.street?"),
    ("SELECT name FROM _ ORDER BY zzz", "no document has a property zzz"),
  ])
  func anUnknownPropertyGetsAHint(query: String, hint: String) throws {
    let result = try folder.concord("query", query)
    #expect(result.status == 0 && result.messages == "concord: \(hint)\n")
  }

  @Test(arguments: [
    "SELECT name, size FROM _", "SELECT name AS label FROM _ ORDER BY label", "SELECT META().id FROM _ AS x",
    "SELECT COUNT(*) FROM _ WHERE address.street = 'Elm'", "SELECT 1 + 1 AS two FROM _ LIMIT 1",
  ])
  func knownPropertiesGetNone(query: String) throws {
    #expect(try folder.concord("query", query).messages.isEmpty)
  }

  @Test func anUnknownCollectionGetsAHint() throws {
    let result = try folder.concord("query", "SELECT name FROM _defualt")
    #expect(result.status == 2 && result.messages.contains("did you mean \"_default\"?"))
  }

  @Test func searchesGetTheSameHint() throws {
    let result = try folder.concord("search", "anna", "--sort", "nmae")
    #expect(result.messages.contains("no document has a property nmae; did you mean name?"))
  }
}
