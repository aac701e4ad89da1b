import Foundation
import Testing

/// Repeated indexing of the standard input, with the same and with other data, loses no documents.
struct StandardInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func index(_ input: String, _ arguments: String...) throws -> JSONText {
    let result = try ConcordProcess.run(["index", "--json", "-q"] + arguments + ["-"], in: folder, input: input)
    #expect(result.status == 0, "\(result.messages)")
    return try JSONText(try #require(result.lines.first, "\(result.messages)"))
  }

  @Test(arguments: [
    ("jsonl", "{\"t\":\"apple\"}\n{\"t\":\"pear\"}\n", "{\"t\":\"plum\"}\n{\"t\":\"pear\"}\n"),
    ("json", "[{\"t\":\"apple\"},{\"t\":\"pear\"}]", "[{\"t\":\"plum\"},{\"t\":\"pear\"}]"),
    ("csv", "t\napple\npear\n", "t\nplum\npear\n"),
    ("mbox", "From a\n\napple\n\nFrom b\n\npear\n", "From a\n\nplum\n\nFrom b\n\npear\n"),
  ])
  func idsOfDocumentsWithoutIDsDeriveFromTheirContent(format: String, first: String, second: String) throws {
    #expect(try index(first, "--format", format).int("documents") == 2)
    let other = try index(second, "--format", format)
    #expect(other.int("documents") == 3 && other.int("saved") == 1)
    #expect(try folder.search("apple").count == 1)
    #expect(try folder.search("plum").count == 1)
    let again = try index(first, "--format", format)
    #expect(again.int("documents") == 3 && again.int("saved") == 0 && again.int("unchanged") == 2)
    let id = try #require(try folder.search("apple").first)
    #expect(id.wholeMatch(of: /stdin:[0-9a-f]{32}/) != nil)
  }

  @Test func idOfTextDerivesFromItsContent() throws {
    #expect(try index("text about apples").int("documents") == 1)
    #expect(try index("text about plums").int("documents") == 2)
    #expect(try index("text about apples").int("documents") == 2)
    #expect(try folder.search("apples").count == 1)
    #expect(try folder.search("plums").count == 1)
  }

  @Test func copiesInOneStreamAreKept() throws {
    let input = String(repeating: "{\"t\":\"apple\"}\n", count: 3)
    for _ in 1...2 {
      #expect(try index(input).int("documents") == 3)
      let ids = try folder.search("apple").sorted()
      let id = try #require(ids.first)
      #expect(ids == [id, id + ":2", id + ":3"])
    }
    #expect(try folder.concord("verify").status == 0)
  }

  @Test func editedDocumentIsNotReplaced() throws {
    _ = try index("{\"t\":\"apple\"}\n")
    let id = try #require(try folder.search("apple").first)
    #expect(try folder.concord("put", id, "{\"t\":\"plum\"}").status == 0)
    _ = try index("{\"t\":\"apple\"}\n")
    #expect(try folder.search("plum") == [id])
    #expect(try folder.search("apple") == [id + ":2"])
  }

  @Test func mailsWithTheSameIDAndDifferentTextsAreKept() throws {
    func mail(_ text: String) -> String { "From a\nMessage-ID: <m@x>\n\n\(text)\n\n" }
    for _ in 1...2 { #expect(try index(mail("apple") + mail("plum"), "--format", "mbox").int("documents") == 2) }
    #expect(try index(mail("pear"), "--format", "mbox").int("documents") == 3)
    #expect(try folder.search("apple") == ["m@x"])
  }

  @Test func recordWithAnIDReplacesTheDocument() throws {
    _ = try index("{\"id\":1,\"t\":\"apple\"}\n")
    #expect(try index("{\"id\":1,\"t\":\"plum\"}\n").int("documents") == 1)
    #expect(try folder.search("plum") == ["1"])
  }
}
