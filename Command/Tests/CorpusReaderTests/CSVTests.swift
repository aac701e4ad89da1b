import CorpusReader
import JSONText
import Testing

@Suite struct CSVTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func quotesLineBreaksAndTypes() throws {
    let reading = try folder.read(
      "f.csv",
      "\u{FEFF}name,note,n\r\n\"A, \"\"B\"\"\",\"two\r\nlines\",1\r\n\r\nC,,-2.5\r\nD,x\"y,007\r\nE,1.50,1e3\r\n\"\",z,-0\r\nF,9223372036854775808,0"
    )
    #expect(reading.problems.isEmpty)
    #expect(
      reading.texts == [
        #"{"name":"A, \"B\"","note":"two\r\nlines","n":1}"#, #"{"name":"C","n":-2.5}"#,
        #"{"name":"D","note":"x\"y","n":"007"}"#,
        #"{"name":"E","note":"1.50","n":"1e3"}"#, #"{"note":"z","n":"-0"}"#,
        #"{"name":"F","note":"9223372036854775808","n":0}"#,
      ])
    #expect(reading.ids == ["f.csv:2", "f.csv:5", "f.csv:6", "f.csv:7", "f.csv:8", "f.csv:9"])
  }

  @Test func raggedAndMalformedRows() throws {
    let reading = try folder.read("f.csv", "a,b\n1\n1,2\n1,2,3\n\"x\"y,2\n3,4\n5,\"open\n6,7\n")
    #expect(reading.texts == [#"{"a":1,"b":2}"#, #"{"a":3,"b":4}"#])
    #expect(reading.lines == [2, 4, 5, 7])
    #expect(
      reading.problems.map(\.reason) == [
        "the row has 1 cell, the header 2", "the row has 3 cells, the header 2",
        "text after a closing quote",
        "a quote is not closed",
      ])
    #expect(reading.problems.map(\.kind) == [.invalidRecord, .invalidRecord, .invalidRecord, .incomplete])
  }

  @Test func idsAndHeaders() throws {
    #expect(try folder.read("f.csv", "_id,id,x\na,b,1\n,b,1\n,,1\n_z,b,1\n").ids == ["a", "b", "f.csv:4"])
    #expect(try folder.read("f.csv", "_id,x\n007,1\n").texts == [#"{"x":1}"#])
    #expect(try folder.read("f.csv", "id\n007\n").ids == ["007"])
    #expect(try folder.read("f.csv", "x,,x\n1,2,3\n").texts == [#"{"x":1,"column2":2,"x_2":3}"#])
    var options = CorpusOptions()
    options.idField = "sku"
    #expect(try folder.read("f.csv", "id,sku\n1,2\n", options).ids == ["2"])
    #expect(try folder.read("f.csv", "a,b\n").documents.isEmpty)
    #expect(try folder.read("f.csv", "").documents.isEmpty)
  }

  @Test func separatorsAndCharacterSets() throws {
    #expect(try folder.read("f.csv", "a;b\n1,5;x\n").texts == [#"{"a":"1,5","b":"x"}"#])
    #expect(try folder.read("f.tsv", "a\tb,c\n1\t\"2\t3\"\n").texts == [#"{"a":1,"b,c":"2\t3"}"#])
    let latin = Array("naïve,b\n".utf8) + Array("caf".utf8) + [0xE9] + Array(",1\n".utf8)
    #expect(try folder.read("f.csv", latin).texts == [#"{"naïve":"café","b":1}"#])
    let utf16 = "a,b\ncafé,1\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try folder.read("f.csv", [0xFF, 0xFE] + utf16).texts == [#"{"a":"café","b":1}"#])
  }

  @Test(arguments: [
    ("a|b\n1|2\n", #"{"a":1,"b":2}"#), ("sep=;\r\na;b,c,d\r\n1;2\r\n", #"{"a":1,"b,c,d":2}"#),
    ("sep=|\na|b\n1|2\n", #"{"a":1,"b":2}"#), ("\"x, y, \"\"z\";b\n1;2\n", #"{"x, y, \"z":1,"b":2}"#),
    ("a;b,c;d\n1;2;3\n", #"{"a":1,"b,c":2,"d":3}"#), ("a,b;c\n1,2\n", #"{"a":1,"b;c":2}"#),
    ("\n\n\"a\n,,\";b\n1;2\n", #"{"a\n,,":1,"b":2}"#), ("\"a\"\n1;2\n", #"{"a":"1;2"}"#),
    ("5\" x,b;c;d\n1,2\n", #"{"5\" x":1,"b;c;d":2}"#),
    ("name,kind (a|b|c)\nA,a\n", #"{"name":"A","kind (a|b|c)":"a"}"#),
    ("a,b (x;y;z)\n\n1,\"2;3\"\n", #"{"a":1,"b (x;y;z)":"2;3"}"#),
    ("a;b;c,d\r\n1;2;x\ry,z\r\n", #"{"a":1,"b":2,"c,d":"x\ry,z"}"#),
  ])
  func theSeparatorIsGuessedFromTheFirstTwoRows(text: String, row: String) throws {
    #expect(try folder.read("f.csv", text).texts == [row])
  }

  @Test func theLineThatNamesTheSeparatorIsCounted() throws {
    #expect(try folder.read("f.csv", "sep=;\na;b\n1;2\n").ids == ["f.csv:3"])
  }

  @Test func carriageReturnsEndRows() throws {
    let reading = try folder.read("f.csv", "a,b\r1,2\r\r\"x\ry\",\"z\"\r5,6")
    #expect(reading.texts == [#"{"a":1,"b":2}"#, #"{"a":"x\ry","b":"z"}"#, #"{"a":5,"b":6}"#])
    #expect(reading.ids == ["f.csv:2", "f.csv:4", "f.csv:5"])
    #expect(try folder.read("f.csv", "a;b\r1;2\r").texts == [#"{"a":1,"b":2}"#])
  }

  @Test(arguments: ["\n", "\r\n"]) func carriageReturnsInCellsOfOtherFilesAreText(end: String) throws {
    let reading = try folder.read("f.csv", "id,note\(end)1,a\rb\(end)2,\rc\(end)3,\"d\"\re\(end)4,f\(end)")
    #expect(reading.texts == [#"{"id":1,"note":"a\rb"}"#, #"{"id":2,"note":"\rc"}"#, #"{"id":4,"note":"f"}"#])
    #expect(reading.problems.map(\.reason) == ["text after a closing quote"] && reading.lines == [4])
  }

  @Test func aLineEndMayBeSplitBetweenBlocks() throws {
    // The reader of the file reads 8 KiB first.
    let name = String(repeating: "a", count: 8189)
    let reading = try folder.read("f.csv", "\(name),b\r\n1,2\r\n")
    #expect(reading.ids == ["f.csv:2"] && reading.problems.isEmpty)
  }

  @Test func theNumberOfColumnsIsLimited() throws {
    let commas = String(repeating: ",", count: 100_000)
    let header = try folder.read("f.csv", commas + "\n1\n")
    #expect(header.problems.map(\.reason) == ["the header has 100001 columns, more than the limit of 100000"])
    #expect(header.documents.isEmpty)
    let row = try folder.read("f.csv", "a,b\n\(commas)\n1,2\n")
    #expect(row.problems.map(\.reason) == ["the row has 100001 cells, the header 2"])
    #expect(row.texts == [#"{"a":1,"b":2}"#])
  }

  @Test func hugeRowDoesNotAffectOtherRows() throws {
    var options = CorpusOptions()
    options.maximumDocumentSize = 1000
    let huge = String(repeating: "y", count: 2_500_000)
    let reading = try folder.read("f.csv", "a,b\n1,2\n\(huge),3\n4,5\n", options)
    #expect(reading.documents.map(\.line) == [2, 4])
    #expect(reading.kinds == [.tooLarge])
    #expect(reading.lines == [3])
  }

  /// When this took quadratic time per name, it took hours.
  @Test(.timeLimit(.minutes(10))) func manyEqualNamesAreNumbered() throws {
    let names = Array(repeating: "a", count: 50_000)
    let reading = try folder.read("f.csv", names.joined(separator: ",") + "\n" + names.joined(separator: ",") + "\n")
    #expect(try reading["a_50000"] == .string("a"))
  }
}
