import JSONText
import Testing

@testable import CorpusReader

/// Character sets, transfer encodings and boundaries of messages as programs write them.
struct MailEncodingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ fields: String, _ body: [UInt8]) throws -> JSONValue? {
    try folder.read("f.eml", Array("\(fields)\n\n".utf8) + body)["text"]
  }

  @Test func aBoundaryMayBeTheStartOfAnother() throws {
    let body = """
      --XX
      Content-Type: multipart/alternative; boundary="XX--in"

      --XX--in
      Content-Type: text/plain

      inner
      --XX--in--
      --XX
      Content-Type: text/plain

      second
      --XX--\u{20}
      epilogue
      """
    #expect(
      try text("Content-Type: multipart/mixed; boundary=XX", Array(body.utf8)) == .string("inner\nsecond"))
  }

  @Test(arguments: ["x-uuencode", "uuencode", "X-UUE", "uue"])
  func uuencode(encoding: String) throws {
    let fields = "Content-Type: text/plain\nContent-Transfer-Encoding: \(encoding)"
    #expect(try text(fields, Array("begin 644 f.txt\n#0V%T\n!0P\n`\nend\n".utf8)) == .string("CatC"))
    #expect(try text(fields, Array("a\nbegin 644 f\r\n#0V%T\r\nend\r\nfooter\n".utf8)) == .string("a\nCatfooter\n"))
    #expect(try text(fields, Array("plain\n".utf8)) == .string("plain\n"))
  }

  @Test func spacesInABoundaryAreSignificant() throws {
    let body = Array("--a  b\n\nbody\n--a  b--\n".utf8)
    #expect(try text("Content-Type: multipart/mixed;\n boundary=\"a  b\"", body) == .string("body"))
  }

  @Test func commentsInFields() throws {
    let fields = "Content-Type: text/plain; charset=iso-8859-2 (Polish (Central; Europe) \\))"
    #expect(try text(fields, [0xB3]) == .string("\u{142}\n"))
    let encoded = "Content-Transfer-Encoding: \"base64\" (quoted)"
    #expect(try text(encoded, Array("aGVsbG8=".utf8)) == .string("hello"))
  }

  @Test(arguments: [
    ("a/b; name=report (1).pdf; x=1", "report (1).pdf"), ("a/b; name=\"a;b (2).txt\" (c)", "a;b (2).txt"),
    ("a/b; name=\"=?utf-8?Q?caf=C3?=\t=?utf-8?Q?=A9=3B?=\"", "caf\u{E9};"), ("a/b (x; y=\"z); name=c", "c"),
    ("a/b; (open; name=c", "c"), ("a/b; name*0=\"c (\"; name*1=d", "c (d"),
  ])
  func namesOfFiles(field: String, name: String) {
    let (value, parameters) = MailParameters.parse(Array(field.utf8))
    #expect(value == "a/b" && parameters["name"] == name)
  }

  @Test func parenthesesInsideAnArgumentAreKept() {
    let parameters = MailParameters.parse(Array("a/b; boundary=_(abc)_; charset=x (y)".utf8)).parameters
    #expect(parameters == ["boundary": "_(abc)_", "charset": "x"])
  }

  /// When this took quadratic time, it took hours.
  @Test(.timeLimit(.minutes(10))) func manyOpenParenthesesTakeLinearTime() {
    let field = "a/b" + String(repeating: ";(", count: 1_000_000)
    #expect(MailParameters.parse(Array(field.utf8)).value == "a/b")
  }

  @Test(arguments: [
    ("aGVsbG8=\r\n-- \r\nfooter, one\r\n", "hello", "\r\n-- \r\nfooter, one\r\n"),
    ("aGVsbG8=\n====\nTo leave", "hello", "\n====\nTo leave"), ("aGVsbG8=\nTo leave", "hello", "\nTo leave"),
    ("aGVsbG8=\nIHdvcmxk", "hello world", ""), ("aGVsbG8=IHdvcmxkIQ==\n-- \nx", "hello world!", "\n-- \nx"),
    ("aGVsbG8h\r\n-- \r\nfooter\r\n", "hello!", "\n-- \r\nfooter\r\n"),
    ("aGVsbG8h\n____\nTo leave", "hello!", "\n____\nTo leave"), ("aGVsbG8h\nTo leave", "hello!", "\nTo leave"),
    ("aGVsbG8h\nIHdvcmxk", "hello! world", ""), ("aGVsbG8h\n====\nx y", "hello!", "\n====\nx y"),
    // A damaged line before a long line of data is not a footer.
    (
      "aGVsbG8h\n-IHdvcmxk\n" + String(repeating: "QUJD", count: 10),
      "hello! world" + String(repeating: "ABC", count: 10), ""
    ),
    ("aGVs\nbG8", "hello", ""), ("a-G V=s", "he", ""), ("aGVsbG8=\n\u{1}-IHdvcmxk", "hello world", ""), ("", "", ""),
  ])
  func base64(text: String, data: String, footer: String) {
    let bytes = Array(text.utf8)[...]
    #expect(String(decoding: Base64.decode(bytes), as: UTF8.self) == data)
    #expect(String(decoding: Base64.decode(bytes, keepsFooter: true), as: UTF8.self) == data + footer)
  }

  @Test func footersOfMailingListsAreText() throws {
    let body = Array("aGVsbG8=\n_______\nThe list\n".utf8)
    #expect(try text("Content-Transfer-Encoding: base64", body) == .string("hello\n_______\nThe list\n"))
  }

  @Test(arguments: [
    ("wo= \t\r\nrd=\n=3D a= b=", "word= a= b"), ("a=\t", "a"), ("=4", "=4"), ("= x", "= x"),
  ])
  func quotedPrintable(text: String, expected: String) {
    let decoded = TransferEncoding.quotedPrintable(Array(text.utf8)[...])
    #expect(String(decoding: decoded, as: UTF8.self) == expected)
  }

  @Test func aWrongDeclarationOfUTF8IsIgnored() throws {
    let fields = "Content-Type: text/plain; charset=utf-8"
    #expect(try text(fields, [0x63, 0x61, 0x66, 0xE9]) == .string("caf\u{E9}\n"))
    let damaged = Array("\u{E4}\u{F6}\u{FC}\u{DF}\u{E9}".utf8) + [0xFF, 0x20]
    #expect(try text(fields, damaged) == .string("\u{E4}\u{F6}\u{FC}\u{DF}\u{E9}\u{FFFD} \n"))
  }

  @Test func aPageInAMessageDeclaresItsCharacterSet() throws {
    let page = Array("<meta charset=koi8-r><p>".utf8) + [0xF0, 0xD2]
    #expect(try text("Content-Type: text/html", page) == .string("\u{41F}\u{440}"))
    #expect(try text("Content-Type: text/html; charset=utf-8", page) == .string("\u{41F}\u{440}"))
    // The field is more exact than the page.
    #expect(try text("Content-Type: text/html; charset=windows-1251", page) == .string("\u{440}\u{422}"))
  }
}
