import CorpusReader
import JSONText
import Testing

@Suite struct CharacterSetTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
    let units = (mark ? [0xFEFF] : []) + Array(text.utf16)
    return units.flatMap { unit -> [UInt8] in
      let high = UInt8(unit >> 8)
      let low = UInt8(unit & 0xFF)
      return bigEndian ? [high, low] : [low, high]
    }
  }

  private func text(_ bytes: [UInt8]) throws -> JSONValue? { try folder.read("f.c", bytes)["text"] }

  @Test func utf8WithAndWithoutMark() throws {
    #expect(try text(Array("né 😀\r\n".utf8)) == .string("né 😀\r\n"))
    #expect(try text([0xEF, 0xBB, 0xBF] + Array("x".utf8)) == .string("x"))
    #expect(try text([]) == .string(""))
  }

  @Test(arguments: [true, false], [true, false])
  func utf16(bigEndian: Bool, mark: Bool) throws {
    let sample = "Hello, né 😀 world\n"
    #expect(try text(utf16(sample, bigEndian: bigEndian, mark: mark)) == .string(sample))
  }

  @Test func brokenUTF16IsRepairedOnlyAfterAByteOrderMark() throws {
    let lone: [UInt8] = [0x41, 0, 0x00, 0xD8, 0x42, 0, 0x43]
    #expect(try text([0xFF, 0xFE] + lone) == .string("A\u{FFFD}B\u{FFFD}"))
    #expect(
      try folder.read("f.c", Array("abcdefgh".utf8).flatMap { [$0, 0] } + [0, 0xD8]).kinds == [.binary(format: nil)])
  }

  @Test func latin1AndWindows1252() throws {
    #expect(try text(Array("caf".utf8) + [0xE9, 0x0A]) == .string("café\n"))
    #expect(try text([0x93, 0x41, 0x94, 0x20, 0x80]) == .string("\u{201C}A\u{201D} €"))
  }

  @Test func fewInvalidBytesDoNotChangeTheCharacterSet() throws {
    let german = Array("Grüße, äußerst süß".utf8)
    #expect(try text(german + [0xE9, 0x0A]) == .string("Grüße, äußerst süß\u{FFFD}\n"))
    #expect(try text([0xEF, 0xBB, 0xBF] + german + [0xFF, 0x0A]) == .string("Grüße, äußerst süß\u{FFFD}\n"))
    // The file ends within a character.
    #expect(try text(Array("né ".utf8) + [0xF0, 0x9F, 0x98]) == .string("né \u{FFFD}"))
    // Windows-1252 that contains a valid sequence by chance.
    #expect(try text([0xC3, 0xA9, 0x20, 0xE9, 0x20]) == .string("Ã© é "))
  }

  @Test func declarationsOfXML() throws {
    func text(_ encoding: String, _ bytes: [UInt8]) throws -> JSONValue? {
      try folder.read("f.xml", Array("<?xml version=\"1.0\" encoding=\"\(encoding)\"?><a>".utf8) + bytes)["text"]
    }
    func expected(_ encoding: String, _ text: String) -> JSONValue {
      .string("<?xml version=\"1.0\" encoding=\"\(encoding)\"?><a>\(text)")
    }
    #expect(try text("ISO-8859-2", [0xA3, 0xF3, 0x64, 0xBC]) == expected("ISO-8859-2", "\u{141}\u{F3}d\u{17A}"))
    #expect(try text("koi8-r", [0xF0, 0xD2]) == expected("koi8-r", "\u{41F}\u{440}"))
    // Wrong and unknown declarations.
    for encoding in ["utf-8", "utf-16", "nonsense"] {
      #expect(try text(encoding, [0x63, 0xE9, 0x20]) == expected(encoding, "c\u{E9} "))
    }
    #expect(try text("koi8-r", Array("\u{E9}".utf8)) == expected("koi8-r", "\u{E9}"))
  }

  @Test func textInUnknownCharacterSetIsRejected() throws {
    for bytes: [UInt8] in [[0x41, 0xE9, 0x01], [0x41, 0x81, 0x42], [0xEF, 0xBB, 0xBF, 0xFF]] {
      let reading = try folder.read("f.c", bytes)
      #expect(reading.kinds == [.notUTF8])
      #expect(reading.documents.isEmpty)
      #expect(reading.problems.first?.isError == false)
    }
  }

  @Test func binaryFiles() throws {
    let files: [(bytes: [UInt8], format: String?)] = [
      ([0x41, 0, 0x42], nil), (Array("%PDF-1.4\n".utf8), "PDF"),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "PNG"), ([0xFF, 0xFE, 0, 0, 0x41, 0, 0, 0], "UTF-32"),
    ]
    for (bytes, format) in files {
      #expect(try folder.read("f.txt", bytes).kinds == [.binary(format: format)])
      // A NUL byte is a fault of one record.
      #expect(try folder.read("f.jsonl", bytes).kinds == [format == nil ? .invalidRecord : .binary(format: format)])
    }
    // After the first 8 KiB a NUL byte is a character.
    let late = [UInt8](repeating: 0x61, count: 9000) + [0]
    #expect(try folder.read("f.txt", late).documents.count == 1)
  }

  @Test func allControlsAreEscaped() throws {
    let bytes = (1..<0x20).map { UInt8($0) } + Array("\"\\/\u{7F}é".utf8)
    let filler = Array(String(repeating: "plain text ", count: 500).utf8)
    for count in 0..<10 {
      let sample = Array(filler[..<count]) + bytes + filler + bytes
      #expect(try text(sample) == .string(String(decoding: sample, as: UTF8.self)))
    }
  }

  @Test func sizeLimit() throws {
    var options = CorpusOptions()
    options.maximumDocumentSize = 10
    #expect(try folder.read("f.c", "0123456789", options).documents.count == 1)
    let reading = try folder.read("f.c", "0123456789a", options)
    #expect(reading.problems.map(\.description) == ["f.c: the file has 11 bytes, more than the limit of 10"])
  }
}
