import DocumentBuilders
import DocumentFormats
import Foundation
import Testing

/// Documents in binary formats and archives: found, shown and searched at their locations.
struct DocumentFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// PDF is tested if poppler is installed.
  static let formats =
    DocumentBuilder.formats.filter { $0 != "pdf" || !FormatLibraries.fingerprint.contains("poppler-none") }
    + DocumentBuilder.textFormats

  @Test(arguments: formats)
  func sentencesInSixLanguagesAreFoundAtTheirLocations(format: String) throws {
    try folder.write("a.\(format)", Data(try DocumentBuilder.file(format)))
    #expect(try folder.concord("index", ".").status == 0)
    let ids = DocumentBuilder.sentences.indices.map { "a.\(format)" + DocumentBuilder.location(format, $0) }
    // One process for all sentences: the files of one format would otherwise start 23 more. In one document, all words
    // must occur; otherwise each document is found by its word.
    let words = DocumentBuilder.sentences.map(\.word)
    #expect(Set(try folder.search(words.joined(separator: Set(ids).count == 1 ? " " : " OR "))) == Set(ids))
    let patterns = DocumentBuilder.sentences.flatMap { ["-e", $0.text] }
    let grep = try ConcordProcess.run(["grep", "-n"] + patterns, in: folder)
    for (id, sentence) in zip(ids, DocumentBuilder.sentences) {
      let isFound = grep.lines.contains { $0.hasPrefix("\(id):") && $0.contains(sentence.text) }
      #expect(isFound, "\(sentence.text)\n\(grep.output)\(grep.messages)")
    }
    let (last, sentence) = try #require(zip(ids, DocumentBuilder.sentences).reversed().first)
    #expect(try folder.concord("cat", last).output.contains(sentence.text))
    #expect(try folder.concord("open", "--print", last).lines.first?.hasSuffix("/a.\(format)") == true)
  }

  /// Source code in an archive has no language.
  @Test func languagesOfMembers() throws {
    let text =
      "The keeper of the lighthouse writes the weather of every day into the journal, and the harbour reads it.\n"
    try folder.write("box.zip", Data(try ArchiveBuilder.archive(.zip, texts: [("a.txt", text), ("prog.py", text)])))
    #expect(try folder.concord("index", "--language", "auto", ".").status == 0)
    #expect(try JSONText(try folder.concord("get", "box.zip/a.txt").output).string("language") == "en")
    #expect(try JSONText(try folder.concord("get", "box.zip/prog.py").output).string("language") == nil)
  }

  @Test func documentHasTheMembersOfItsFormat() throws {
    try folder.write("a.xlsx", Data(try DocumentBuilder.file("xlsx")))
    #expect(try folder.concord("index", ".").status == 0)
    let document = try JSONText(try folder.concord("get", "a.xlsx:Sheet 2").output)
    #expect(document.string("path") == "a.xlsx" && document.string("type") == "xlsx")
    #expect(document.string("title") == "Lights" && document.string("author") == "A. Fresnel")
    #expect(document.int("sheet") == 2 && document.string("sheetName") == "Sheet 2")
    #expect(document.string("created") == "2024-05-01T00:00:00Z" && document.string("language") == "en")
    let typed = try folder.concord("grep", "-l", "-g", "*.xlsx", "lighthouse")
    #expect(typed.lines == ["a.xlsx:Sheet 1"])
  }

  @Test func unchangedDocumentsAreNotExtractedAgain() throws {
    try folder.write("a.zip", Data(try DocumentBuilder.file("zip")))
    try folder.write("broken.docx", "not a document")
    #expect(try folder.concord("index", ".").status == 0)
    let again = try JSONText(try folder.concord("index", "--json", ".").output)
    #expect(again.int("files") == 0 && again.int("unchangedFiles") == 2 && again.int("documents") == 6)
  }

  @Test func changedArchiveReplacesItsDocuments() throws {
    try folder.write("a.zip", Data(try DocumentBuilder.file("zip")))
    #expect(try folder.concord("index", ".").status == 0)
    try folder.write("a.zip", Data(try ArchiveBuilder.archive(.zip, texts: [("new.txt", "a new lighthouse")])))
    #expect(try folder.concord("index", ".").status == 0)
    #expect(try folder.search("lighthouse") == ["a.zip/new.txt"])
  }

  @Test func damagedDocumentIsSkippedAndCounted() throws {
    try folder.write("broken.docx", "not a document")
    try folder.write("good.txt", "a lighthouse")
    let result = try folder.concord("index", ".")
    #expect(result.status == 0 && result.messages.contains("skipped 1 file: 1 damaged"), "\(result.messages)")
    #expect(try folder.search("lighthouse") == ["good.txt"])
  }

  @Test func filesWithoutTextAreCountedWithTheReason() throws {
    try folder.write("blank.pdf", Data(PDFBuilder.file(pages: [""], title: "x")))
    try folder.write("empty.epub", Data(try Self.book(chapters: [])))
    let result = try folder.concord("index", "-v", ".")
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.messages.contains("empty.epub: the document has no text"), "\(result.messages)")
    guard !FormatLibraries.fingerprint.contains("poppler-none") else { return }
    #expect(result.messages.contains("skipped 2 files: 2 without text"), "\(result.messages)")
    #expect(result.messages.contains("blank.pdf: the document has no text; its pages are probably scanned"))
  }

  /// `0x81 0x8D` is invalid in UTF-8 and in Windows-1252.
  @Test func chapterThatIsNotTextIsASkippedMember() throws {
    try folder.write("a.epub", Data(try Self.book(chapters: [[0x81, 0x8D, 0x81], Array("<p>a lighthouse</p>".utf8)])))
    let result = try folder.concord("index", ".")
    #expect(result.status == 0 && result.messages.contains("skipped 1 file inside other files"), "\(result.messages)")
    #expect(try folder.search("lighthouse") == ["a.epub:2"])
    let again = try JSONText(try folder.concord("index", "--json", ".").output)
    #expect(again.int("unchangedFiles") == 1)
  }

  private static func book(chapters: [[UInt8]]) throws -> [UInt8] {
    let items = chapters.indices.map { "<item id='c\($0)' href='\($0).xhtml' media-type='application/xhtml+xml'/>" }
    let spine = chapters.indices.map { "<itemref idref='c\($0)'/>" }
    let root = "<package><manifest>\(items.joined())</manifest><spine>\(spine.joined())</spine></package>"
    return try ArchiveBuilder.archive(
      .zip,
      [
        ("META-INF/container.xml", Array("<c><rootfile full-path='a.opf'/></c>".utf8)), ("a.opf", Array(root.utf8)),
      ] + chapters.enumerated().map { ("\($0).xhtml", $1) })
  }

  @Test func notebookThatIsNotJSONIsIndexedAsTextWithAMessage() throws {
    try folder.write("a.ipynb", "{ a lighthouse")
    let result = try folder.concord("index", "a.ipynb")
    #expect(result.status == 0 && result.messages.contains("a.ipynb: not JSON: "), "\(result.messages)")
    #expect(try folder.search("lighthouse") == ["a.ipynb"])
    try folder.write("b.ipynb", "{}")
    let counted = try folder.concord("index", ".")
    #expect(counted.messages.contains("1 file does not parse as its format"), "\(counted.messages)")
  }

  @Test func binaryMembersAreCounted() throws {
    let archive = try ArchiveBuilder.archive(
      .zip, [("a.png", [0x89, 0x50, 0x4E, 0x47, 0, 0]), ("b.txt", Array("ship".utf8))])
    try folder.write("a.zip", Data(archive))
    let result = try folder.concord("index", ".")
    #expect(result.status == 0 && result.messages.contains("skipped 1 file inside other files"), "\(result.messages)")
    #expect(try folder.search("ship") == ["a.zip/b.txt"])
  }

  /// A database of this program is a SQLite file.
  @Test func optionalFormatsAreReadOnRequest() throws {
    #expect(try folder.concord("put", "-q", "-d", "base.sqlite", "a", "{}").status == 0)
    try folder.write("a.txt", "a lighthouse")
    let without = try folder.concord("index", ".")
    #expect(without.status == 0 && without.messages.contains("skipped 1 file: 1 SQLite"), "\(without.messages)")
    let with = try folder.concord("index", "--optional-formats", "sqlite,image", ".")
    #expect(with.status == 0 && !with.messages.contains("skipped"), "\(with.messages)")
    let schema = try JSONText(try folder.concord("get", "base.sqlite").output)
    #expect(schema.string("type") == "sqlite" && schema.string("text")?.contains("CREATE TABLE") == true)
    try folder.write("concord.yaml", "folders: [.]\noptions:\n  optional-formats: [sqlite]\n")
    let configured = try folder.concord("index")
    #expect(configured.status == 0 && configured.messages.contains("2 unchanged"), "\(configured.messages)")
    try folder.write("concord.yaml", "folders: [.]\noptions:\n  optional-formats: [pdf]\n")
    #expect(try folder.concord("index").status == 2)
    #expect(try folder.concord("index", "--optional-formats", "pdf", ".").status == 2)
  }

  @Test func hitsAreFoundAsASearchPrintsThem() throws {
    try folder.write("a.txt", "first\nquince\n")
    #expect(try folder.concord("index", "a.txt").status == 0)
    #expect(try folder.concord("cat", "a.txt:2").output == "first\nquince\n")
    #expect(try folder.concord("open", "--print", "a.txt:2").lines.first?.hasSuffix("/a.txt") == true)
    let missing = try folder.concord("cat", "b.txt:2")
    #expect(missing.status == 1 && missing.messages.contains("there is no document \"b.txt:2\""))
    #expect(try folder.concord("cat", "a.txt:x").status == 1)
  }

  @Test func aCommandOfPreHasTheDefaultActionsOfSignals() throws {
    try folder.write("a.rev", "x")
    _ = try folder.concord("index", "--pre", "*.rev=grep SigIgn /proc/self/status #", ".")
    let digits = try folder.concord("cat", "a.rev").output.split(whereSeparator: \.isWhitespace).last ?? ""
    let ignored = try #require(UInt64(digits, radix: 16))
    for signal in [SIGPIPE, SIGXFSZ, SIGINT] { #expect(ignored & 1 << UInt64(signal - 1) == 0) }
  }

  @Test func aSignalEndsTheCommandOfPre() throws {
    try folder.write("d/a.rev", "x")
    let result = try ConcordProcess.shell(
      #"""
      mkfifo started
      concord index -q --pre '*.rev=echo $$ > started; sleep 1000 #' d &
      read id < started
      kill -TERM $!; wait $!; echo $?
      # A zombie that nobody waits for is not running either.
      while [ -e /proc/$id ] && ! grep -q '^State:.*Z' /proc/$id/status; do :; done
      """#, in: folder)
    #expect(result.lines == ["143"], "\(result)")
  }

  @Test func outputOfAPreprocessorIsIndexed() throws {
    try folder.write("a.rev", "esuohthgil\n")
    try folder.write("b.rev", "retsbol\n")
    try folder.write("c.txt", "plain")
    let first = try folder.concord("index", "--pre", "*.rev=tr a-z A-Z; true", ".")
    #expect(first.status == 0, "\(first.messages)")
    #expect(try folder.concord("cat", "a.rev").output == "ESUOHTHGIL\n")
    #expect(try folder.concord("cat", "c.txt").output == "plain\n")
    let same = try JSONText(try folder.concord("index", "--json", "--pre", "*.rev=tr a-z A-Z; true", ".").output)
    #expect(same.int("files") == 0)
    let other = try JSONText(try folder.concord("index", "--json", "--pre", "*.rev=cat", ".").output)
    #expect(other.int("files") == 2)
    #expect(try folder.concord("cat", "b.rev").output == "retsbol\n")
  }

  @Test func failingPreprocessorSkipsTheFile() throws {
    try folder.write("a.rev", "text")
    let result = try folder.concord("index", "-v", "--pre", "*.rev=exit 3;", ".")
    #expect(result.status == 0 && result.messages.contains("failed with status 3"), "\(result.messages)")
    #expect(result.messages.contains("1 that --pre did not convert"), "\(result.messages)")
    let malformed = try folder.concord("index", "--pre", "*.rev", ".")
    #expect(malformed.status == 2 && malformed.messages.contains("--pre takes a glob"), "\(malformed.messages)")
  }

  @Test func formatsListsLibraries() throws {
    let result = try folder.concord("formats", "--json")
    #expect(
      result.status == 0 && result.output.contains("\"format\":\"pdf\"") && result.output.contains("libarchive 3."))
  }

  /// A truncated or changed file: the run ends without an error, and every other file is indexed.
  @Test(arguments: formats)
  func mutatedFileDoesNotAffectOtherFiles(format: String) throws {
    let file = try DocumentBuilder.file(format)
    var random = SeededGenerator(seed: UInt64(format.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
    for number in 0..<60 {
      var bytes = file
      if number.isMultiple(of: 3) {
        bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
      } else {
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      }
      try folder.write("\(number).\(format)", Data(bytes))
    }
    try folder.write("zz.txt", "a periscope")
    let result = try folder.concord("index", "-q", ".")
    #expect(result.status == 0, "\(result.messages.prefix(500))")
    #expect(try folder.search("periscope") == ["zz.txt"])
  }
}
