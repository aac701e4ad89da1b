import Foundation
import Testing

/// The reports of `concord search` on the files of hits: line numbers and changes.
struct SearchFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("docs/a.md", "# One\n\nfirst line\nsecond barrier\n")
    try folder.write("docs/b.txt", "barrier\n")
    try folder.write("docs/c.txt", "nothing of interest\n")
    #expect(try folder.concord("index", "-q", "docs").status == 0)
  }

  @Test func hitsShowTheLineOfTheirFirstMatch() throws {
    let lines = try folder.concord("search", "barrier").lines.filter { !$0.hasPrefix(" ") }
    #expect(lines.contains { $0.contains(" docs/a.md:4  One  (") } && lines.contains { $0.contains(" docs/b.txt:1  ") })
    let json = try folder.concord("search", "--json", "second").lines.map { try JSONText($0) }
    #expect(json.first?.objects("matches")?.first?["line"] as? Int == 4)
  }

  @Test func partialTextOfAFileHasNoLineNumbers() throws {
    try folder.write("docs/d.md", "---\ntitle: Four\n---\nan island\n")
    try folder.write("docs/e.html", "<title>Five</title>\n<p>a harbour</p>")
    #expect(try folder.concord("index", "-q", "docs").status == 0)
    for (word, id) in [("island", "docs/d.md"), ("harbour", "docs/e.html")] {
      let result = try folder.concord("search", word)
      #expect(result.output.hasPrefix("1. \(id)  "), "\(result.output)")
      #expect(try !folder.concord("search", "--json", word).output.contains("\"line\""))
    }
    // A title is not a line of the text.
    #expect(try folder.concord("search", "--fields", "title", "One").output.hasPrefix("1. docs/a.md  One"))
  }

  @Test func filesThatHaveChangedOrAreDeletedAreReported() throws {
    #expect(try !folder.concord("search", "barrier").messages.contains("disk"))
    try folder.write("docs/a.md", "# One\n\nnow longer, still with barrier\n")
    try folder.remove("docs/b.txt")
    let result = try folder.concord("search", "barrier")
    #expect(result.status == 0)
    #expect(result.messages.contains("1 file on disk is newer than the index, for example docs/a.md; --fresh"))
    #expect(result.messages.contains("1 file was deleted from disk, for example docs/b.txt; --fresh"))
  }

  @Test func deletedFileOfAMessageIsReportedByItsPath() throws {
    try folder.write("docs/m.eml", "From: a@x\nMessage-ID: <b0@x>\nSubject: Boats\n\na sailor\n")
    #expect(try folder.concord("index", "-q", "docs").status == 0)
    try folder.remove("docs/m.eml")
    let result = try folder.concord("search", "sailor")
    #expect(result.output.hasPrefix("1. b0@x  "), "\(result.output)")
    #expect(result.messages.contains("1 file was deleted from disk, for example docs/m.eml; --fresh"))
  }

  @Test func changedFilesAreReportedIfNothingIsFound() throws {
    try folder.write("docs/a.md", "# One\n\nnow with a banana\n")
    for command in ["search", "grep"] {
      let result = try folder.concord(command, "banana")
      #expect(result.status == 1)
      #expect(result.messages.contains("is newer than the index, for example docs/a.md; --fresh"))
    }
  }

  @Test func onlyFilesOfPrintedHitsAreChecked() throws {
    try folder.write("docs/c.txt", "nothing of any interest\n")
    #expect(try !folder.concord("search", "barrier").messages.contains("newer than the index"))
    try folder.remove("docs/a.md")
    try folder.remove("docs/b.txt")
    let result = try folder.concord("search", "barrier", "-n", "1")
    #expect(result.messages.contains("1 file was deleted from disk"))
  }

  @Test func freshReadsChangedFilesFirst() throws {
    try folder.write("docs/a.md", "# One\n\nnow longer, with a lighthouse\n")
    try folder.remove("docs/b.txt")
    let result = try folder.concord("search", "--fresh", "lighthouse")
    #expect(result.status == 0 && result.output.hasPrefix("1. docs/a.md:3  One  ("))
    #expect(!result.messages.contains("disk"))
    #expect(try folder.concord("search", "--exact", "barrier").status == 1)
  }
}
