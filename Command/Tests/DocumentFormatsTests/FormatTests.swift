import DocumentBuilders
import Testing

@testable import DocumentFormats

/// Text, locations and metadata of each format.
struct FormatTests {
  /// PDF is tested if poppler is installed.
  static let formats = DocumentBuilder.formats.filter { format in
    format != "pdf" || FormatLibraries.all.contains { $0.name == "poppler" && $0.version != nil }
  }

  @Test(arguments: formats)
  func sentencesInSixLanguagesAreExtractedAtTheirLocations(format: String) throws {
    let extracted = try Extracted(try DocumentBuilder.file(format), named: "a.\(format)")
    #expect(extracted.fault == nil && extracted.failures.isEmpty)
    for (index, sentence) in DocumentBuilder.sentences.enumerated() {
      let end = DocumentBuilder.location(format, index)
      let part = extracted.parts.first { part in
        (part.member.isEmpty ? "" : "/\(part.member)") + (part.location.map { ":\($0.label)" } ?? "") == end
      }
      let text = String(decoding: part?.content ?? [], as: UTF8.self)
      #expect(text.contains(sentence.text), "\(end): \(text.prefix(200))")
    }
  }

  @Test(arguments: formats.filter { !["zip", "tar.gz", "7z"].contains($0) })
  func titleAuthorAndDateAreExtracted(format: String) throws {
    let metadata = try #require(try Extracted(try DocumentBuilder.file(format), named: "a.\(format)").parts.first)
      .metadata
    #expect(metadata.title == "Lights")
    #expect(metadata.author == "A. Fresnel")
    if format != "rtf" { #expect(metadata.created == "2024-05-01T00:00:00Z") }
    if !["rtf", "pdf"].contains(format) { #expect(metadata.language == "en") }
  }

  @Test(arguments: ["xlsx", "ods"])
  func lineAndColumnInASheetAreThoseOfTheCell(format: String) throws {
    let text = try #require(try Extracted(try DocumentBuilder.file(format), named: "a.\(format)").texts.first)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4 && lines[2] == "\t\t" + DocumentBuilder.sentences[0].text)
  }

  @Test(arguments: ArchiveBuilder.Kind.allCases)
  func membersOfAnArchiveAreFiles(kind: ArchiveBuilder.Kind) throws {
    let archive = try ArchiveBuilder.archive(kind, texts: [("a.txt", "one"), ("b/ü.md", "# two")])
    let extracted = try Extracted(archive, named: "box.\(kind.rawValue)")
    #expect(extracted.fault == nil && extracted.parts.allSatisfy(\.isFile))
    #expect(extracted.texts == ["one", "# two"] && extracted.parts.map(\.member) == ["a.txt", "b/ü.md"])
  }

  @Test func archivesWithinArchivesAreExtractedUpToALimit() throws {
    var archive = try ArchiveBuilder.archive(.tgz, texts: [("deep.txt", "treasure")])
    archive = try ArchiveBuilder.archive(.zip, [("inner.tar.gz", archive), ("a.odt", try DocumentBuilder.file("odt"))])
    let extracted = try Extracted(archive, named: "box.zip")
    #expect(extracted.parts.map(\.member) == ["inner.tar.gz/deep.txt", "a.odt"])
    var limits = ExtractionLimits()
    limits.depth = 1
    let shallow = try Extracted(archive, named: "box.zip", limits: limits)
    #expect(shallow.parts.map(\.member) == ["a.odt"])
    #expect(shallow.failures.map(\.kind) == [.tooLarge] && shallow.failures.map(\.member) == ["inner.tar.gz"])
  }

  @Test func compressedDocumentIsDecompressed() throws {
    let rtf = try DocumentBuilder.file("rtf")
    // By its filter alone, an archive with one member cannot be distinguished from a compressed file, so gzip creates
    // the file.
    let gzip = try GzipBuilder.compressed(rtf)
    #expect(try Extracted(gzip, named: "a.rtf.gz").texts.first?.contains("lighthouse") == true)
  }

  @Test func rtfGroupsBeyondTheDepthLimitAreClosed() throws {
    let depth = 10_050
    let inner = String(repeating: "{", count: depth) + "\\u233?" + String(repeating: "}", count: depth)
    let text = "{\\rtf1 {\\*\\generator x" + inner + "y}z}"
    let extracted = try Extracted(Array(text.utf8), named: "a.rtf")
    #expect(extracted.texts == ["z"] && extracted.fault == nil)
  }

  @Test func codePageOfRTFIsDecoded() throws {
    let text = "{\\rtf1\\ansi\\ansicpg1251 \\'cc\\'e0\\'ff\\'ea{\\pict 00ff}{\\*\\generator x}\\par}"
    #expect(try Extracted(Array(text.utf8), named: "a.rtf").texts == ["Маяк\n"])
    // The system's converter holds back the last letter, which may be combined with the next one.
    let hebrew = "{\\rtf1\\ansi\\ansicpg1255 \\'f9\\'ec\\'e5\\par}"
    #expect(try Extracted(Array(hebrew.utf8), named: "a.rtf").texts == ["שלו\n"])
  }

  @Test(.enabled(if: formats.contains("pdf")))
  func wordHyphenatedAtTheEndOfALineIsJoined() throws {
    let file = PDFBuilder.file(pages: ["the light-\nhouse of the North-\nSea"], title: "x")
    #expect(try Extracted(file, named: "a.pdf").texts == ["the lighthouse of the North-\nSea"])
  }

  @Test(arguments: [
    ("caf\u{E9}-\nt\u{E9}ria", "caf\u{E9}t\u{E9}ria"), ("Jean-\n\u{C9}tienne", "Jean-\n\u{C9}tienne"),
    ("Jean-\nE\u{301}tienne", "Jean-\nE\u{301}tienne"), ("\u{C9}T\u{C9}-\n\u{C9}T\u{C9}", "\u{C9}T\u{C9}\u{C9}T\u{C9}"),
    ("\u{43C}\u{430}-\n\u{44F}\u{43A}", "\u{43C}\u{430}\u{44F}\u{43A}"), ("\u{43C}-\n\u{41C}", "\u{43C}-\n\u{41C}"),
    ("well-\n\u{201C}known", "well-\n\u{201C}known"), ("\u{201D}-\nx", "\u{201D}-\nx"),
    ("\u{5E9}-\n\u{5DC}", "\u{5E9}\u{5DC}"), ("type-\n2", "type-\n2"), ("-\na", "-\na"), ("a-\n", "a-\n"),
  ])
  func hyphenBeforeANewCapitalLetterIsKept(text: String, expected: String) {
    #expect(String(decoding: Hyphens.joined(Array(text.utf8)), as: UTF8.self) == expected)
  }
}
