import JSONText
import Testing

@testable import CorpusReader

/// The character set that a page declares.
struct HTMLCharacterSetTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    ("<meta charset=koi8-r>", "koi8-r"), ("<p><META\nCHARSET = 'KOI8-R'/>", "koi8-r"),
    ("<meta content=\"text/html; charset=koi8-r\" http-equiv=Content-Type>", "koi8-r"),
    ("<meta http-equiv=content-type content=\"charset; charset = 'koi8-r'\">", "koi8-r"),
    ("<?xml version=\"1.0\" encoding=\"koi8-r\"?>", "koi8-r"),
    // Other places that contain a declaration.
    ("<!-- <meta charset=koi8-r> -->", nil), ("<a title='<meta charset=koi8-r>'>", nil),
    ("<metadata charset=koi8-r>", nil), ("<meta name=description content=\"charset=koi8-r\">", nil),
    ("<!--><meta charset=koi8-r>", "koi8-r"), ("</p a='>'><meta charset=koi8-r>", "koi8-r"),
    // Names without a meaning.
    ("<meta charset=nonsense><meta charset=koi8-r>", "koi8-r"), ("<meta charset=utf-7>", nil),
    ("<meta charset=utf-16le>", "utf-8"), ("<meta charset=ucs-2>", "utf-8"),
    ("<meta charset=x-user-defined>", "windows-1252"),
    // Pages that end early.
    ("<meta charset", nil), ("<meta charset=\"", nil), ("<!--", nil), ("<", nil), ("<meta content=charset", nil),
    ("", nil),
  ])
  func declaration(page: String, name: String?) {
    let found = Array(page.utf8).withUnsafeBytes { HTMLCharacterSet.declared(in: $0) }
    #expect(found == name)
  }

  /// A declaration after the first 1,024 bytes counts only in `<head>`.
  @Test func lateDeclaration() {
    func declared(_ start: String, _ end: String) -> String? {
      let page = start + String(repeating: " ", count: 3000) + end + "<meta charset=koi8-r>"
      return Array(page.utf8).withUnsafeBytes { HTMLCharacterSet.declared(in: $0) }
    }
    #expect(declared("<head><title>", "</title>") == "koi8-r")
    #expect(declared("<head><script>if (a == '</head><body>') b()", "</script>") == "koi8-r")
    #expect(declared("<head><style>/* <body> */", "</style>") == "koi8-r")
    #expect(declared("<head><header>", "</header>") == "koi8-r")
    #expect(declared("<head>", "</head>") == nil)
    #expect(declared("<head>", "</HEAD/>") == nil)
    #expect(declared("<head></head><body>", "") == nil)
    #expect(declared("<head>", String(repeating: " ", count: 64 << 10)) == nil)
  }

  @Test(arguments: ["utf-8", "utf-16", "utf-7", "ucs-4"])
  func aWrongDeclarationIsIgnored(name: String) throws {
    let page: [UInt8] =
      Array("<meta charset=\"\(name)\"><p>gar\u{00E7}on caf".unicodeScalars.map { UInt8($0.value) }) + [0xE9]
    #expect(try folder.read("f.html", page)["text"] == .string("gar\u{E7}on caf\u{E9}"))
  }

  @Test func aDamagedPageInUTF8IsRepaired() throws {
    let page = Array("<meta charset=utf-8><p>a".utf8) + [0x81] + Array(" b".utf8)
    #expect(try folder.read("f.html", page)["text"] == .string("a\u{FFFD} b"))
  }
}
