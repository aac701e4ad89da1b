import CorpusReader
import Foundation
import JSONText
import Testing

@Suite struct RecordTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func jsonLines() throws {
    let reading = try folder.read(
      "f.jsonl",
      "\u{FEFF}{\"a\":1}\r\n\n  {\"id\":\"x\",\"a\": 2.0}\n{\"a\":\n[1]\n{\"id\":7}\n\"s\"\n{\"z\":1}")
    #expect(reading.texts == [#"{"a":1}"#, #"{"id":"x","a": 2.0}"#, #"{"id":7}"#, #"{"z":1}"#])
    #expect(reading.ids == ["f.jsonl:1", "x", "7", "f.jsonl:8"])
    #expect(reading.documents.map(\.line) == [1, 3, 6, 8])
    #expect(reading.kinds == [.invalidRecord, .invalidRecord, .invalidRecord])
    #expect(reading.lines == [4, 5, 7])
    #expect(reading.problems[1].description == "f.jsonl:5: expected a JSON object, found an array")
    #expect(reading.problems.filter(\.isError).count == reading.problems.count)
  }

  @Test func hugeLineDoesNotAffectOtherLines() throws {
    var options = CorpusOptions()
    options.maximumDocumentSize = 1000
    let huge = #"{"x":""# + String(repeating: "y", count: 3_000_000) + "\"}"
    let fitting = #"{"x":""# + String(repeating: "y", count: 992) + "\"}"
    let reading = try folder.read(
      "f.jsonl", "{\"a\":1}\n\(huge)\n\(fitting)\n\(fitting)z\n{\"b\":2}\n\(huge)", options)
    #expect(reading.documents.map(\.line) == [1, 3, 5])
    #expect(reading.kinds == [.tooLarge, .tooLarge, .tooLarge])
    #expect(reading.lines == [2, 4, 6])
    #expect(reading.problems.first?.reason == "the record has 3000008 bytes, more than the limit of 1000")
  }

  @Test func manyLinesAcrossBlocks() throws {
    let lines = (0..<40_000).map {
      "{\"id\":\"d\($0)\",\"text\":\"\(String(repeating: "é", count: $0 % 60))\"}"
    }
    let reading = try folder.read("f.jsonl", lines.joined(separator: "\n"))
    #expect(reading.texts == lines)
    #expect(reading.problems.isEmpty)
  }

  @Test func jsonLinesInUTF16() throws {
    let lines = (0..<5000).map { "{\"id\":\"d\($0)\",\"text\":\"né 😀\"}" }
    let bytes = ("\u{FEFF}" + lines.joined(separator: "\n")).utf16.flatMap {
      [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
    #expect(try folder.read("f.jsonl", bytes).texts == lines)
  }

  @Test func invalidUTF8InALine() throws {
    let reading = try folder.read("f.jsonl", Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}\n{}".utf8))
    #expect(reading.texts == ["{}"])
    #expect(reading.lines == [1])
    #expect(reading.problems.first?.reason.hasPrefix("not UTF-8") == true)
  }

  @Test func ids() throws {
    let long = String(repeating: "x", count: 241)
    let reading = try folder.read(
      "f.jsonl",
      """
      {"_id":"a","id":"b","x":1}
      {"x":1,"_id":12}
      {"_id":null,"id":18446744073709551615}
      {"id":{"no":1}}
      {"_id":""}
      {"_id":"_x"}
      {"_id":"\(long)"}
      {"_id":1.5}
      {"\\u005fid":"a"}
      {"id":"_x"}
      """)
    #expect(reading.ids == ["a", "12", "18446744073709551615", "f.jsonl:4", "f.jsonl:10"])
    #expect(
      reading.texts
        == [#"{"id":"b","x":1}"#, #"{"x":1}"#, #"{"id":18446744073709551615}"#, #"{"id":{"no":1}}"#, #"{"id":"_x"}"#])
    #expect(reading.lines == [5, 6, 7, 8, 9])
    var options = CorpusOptions()
    options.idField = "sku"
    let bySKU = try folder.read(
      "f.jsonl", #"{"_id":"a","sku":"s","id":"b"}"# + "\n" + #"{"id":"b"}"#, options)
    #expect(bySKU.ids == ["s", "b"])
    #expect(bySKU.texts.first == #"{"sku":"s","id":"b"}"#)
  }

  @Test func jsonFiles() throws {
    #expect(try folder.read("f.json", " {\"a\": [1, \"]\"]}\n").texts == [#"{"a": [1, "]"]}"#])
    let array = try folder.read(
      "f.json", "[\n{\"a\":\"},{\\\"\"},\n {\"_id\":\"x\",\"b\":[{}]},\n 5,\n{}\n]\n")
    #expect(array.texts == [#"{"a":"},{\""}"#, #"{"b":[{}]}"#, "{}"])
    #expect(array.ids == ["f.json:2", "x", "f.json:5"])
    #expect(array.lines == [4])
    #expect(try folder.read("f.json", "[]").documents.isEmpty)
  }

  @Test func recordsThatBeginOnOneLineHaveOrdinals() throws {
    let reading = try folder.read("f.json", #"[{"t":"apple"},{"t":"pear"},7,"# + "\n" + #"{"t":"fig"},{"id":"x"},{}]"#)
    #expect(reading.ids == ["f.json:1", "f.json:1:2", "f.json:2", "x", "f.json:2:3"])
    #expect(
      reading.documents.map { $0.location(in: "f.json") } == [
        "f.json:1", "f.json:1:2", "f.json:2", "f.json:2:2", "f.json:2:3",
      ])
  }

  @Test(arguments: [
    ("[{},\n]", 2, 1), ("{", 1, 0), ("null", 1, 0), ("{\"a\" 1}", 1, 0),
  ])
  func brokenRecordsOfJSONFiles(text: String, line: Int, kept: Int) throws {
    try expect(.invalidRecord, text, line: line, kept: kept)
  }

  @Test(arguments: [
    ("", 1, 0), ("[", 1, 0), ("[{}", 1, 1), ("[{}\n{}]", 2, 1), ("{}\n{}", 2, 1), ("[{}] x", 1, 1),
  ])
  func truncatedJSONFilesKeepEarlierRecords(text: String, line: Int, kept: Int) throws {
    try expect(.incomplete, text, line: line, kept: kept)
  }

  private func expect(_ kind: CorpusProblem.Kind, _ text: String, line: Int, kept: Int) throws {
    let reading = try folder.read("f.json", text)
    #expect(reading.kinds == [kind])
    #expect(reading.lines == [line])
    #expect(reading.documents.count == kept)
  }

  @Test func largeElementsOfAnArray() throws {
    var options = CorpusOptions()
    options.maximumDocumentSize = 100
    let huge = "{\"x\":\"" + String(repeating: "y", count: 2_500_000) + "\"}"
    let reading = try folder.read("f.json", "[{\"a\":1},\n\(huge),\n{\"b\":2}]", options)
    #expect(reading.texts == ["{\"a\":1}", "{\"b\":2}"])
    #expect(reading.kinds == [.tooLarge])
    #expect(reading.lines == [2])
  }

  @Test func standardInput() throws {
    func read(_ text: String, _ options: CorpusOptions = CorpusOptions()) throws -> Reading {
      let file = try folder.write("stdin", text)
      let descriptor = open(file, O_RDONLY)
      defer { close(descriptor) }
      var reading = Reading()
      try CorpusFileReader(options: options).read(
        standardInput: descriptor, body: { try reading.add($0, $1) },
        problem: { reading.problems.append($0) })
      return reading
    }
    let records = try read("{\"a\":1}\n{\"a\":2}\n{\"a\":1}\n{\"id\":\"b\"}\n")
    // The 128-bit FNV-1a checksum of the record's text, computed with another program.
    #expect(records.ids[0] == "stdin:a930e708924ff78dd36054201cd38dc9")
    #expect(records.ids[2] == records.ids[0] && records.ids[1] != records.ids[0] && records.ids[3] == "b")
    #expect(records.documents.map(\.hasContentID) == [true, true, true, false])
    #expect(try read("{\n\"a\":1\n}\n").documents.count == 1)
    #expect(try read(" [{\"a\":1},{}]").documents.count == 2)
    let text = try read("Title\n\nand text\n")
    #expect(text.ids == ["stdin:77dc03b9730a7c83e7aac02dfab32f85"])
    #expect(try text["title"] == .string("Title"))
    var options = CorpusOptions()
    options.format = .csv
    #expect(try read("id,b\n1,2\n", options).ids == ["1"])
  }

  @Test func unreadableAndVanishedFiles() throws {
    let source = SourceFile(
      path: "gone", absolutePath: folder.path + "/gone", size: 1, modified: 0, format: .text)
    var problems: [CorpusProblem] = []
    try CorpusFileReader().read(source, body: { _, _ in }, problem: { problems.append($0) })
    #expect(problems.map(\.kind) == [.missing])
    let directory = SourceFile(path: "d", absolutePath: folder.path, size: 1, modified: 0, format: .jsonl)
    try CorpusFileReader().read(directory, body: { _, _ in }, problem: { problems.append($0) })
    #expect(problems.map(\.kind) == [.missing, .unreadable])
  }

  @Test func errorsOfTheBodyEndTheReading() throws {
    struct Stop: Error {}
    let file = try folder.write("f.jsonl", "{}\n{}\n")
    let source = SourceFile(path: "f.jsonl", absolutePath: file, size: 6, modified: 0, format: .jsonl)
    var count = 0
    #expect(throws: Stop.self) {
      try CorpusFileReader().read(
        source,
        body: { _, _ in
          count += 1
          throw Stop()
        }, problem: { _ in })
    }
    #expect(count == 1)
  }
}
