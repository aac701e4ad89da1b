import CorpusReader
import JSONText
import Testing

/// Attachments and nested messages are documents of their own.
struct MailAttachmentTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let message = """
    From: a@x
    Cc: c@x
    Subject: outer
    Message-ID: <outer@x>
    Content-Type: multipart/mixed; boundary="b"

    --b
    Content-Type: text/plain

    body
    --b
    Content-Type: application/octet-stream; name="old.txt"
    Content-Disposition: attachment; filename*0*=iso-8859-1''caf%E9; filename*1=".txt"

    attached
    --b
    Content-Type: text/plain; charset=koi8-r
    Content-Disposition: attachment; filename="C:\\dir\\note.txt"
    Content-Transfer-Encoding: base64

    zsHR
    --b
    Content-Type: message/rfc822

    Subject: inner
    Content-Type: multipart/mixed; boundary="c"

    --c

    inner body
    --c
    Content-Disposition: attachment; filename="../../x.md"
    Content-Type: text/markdown

    # Heading
    --c--
    --b
    Content-Type: image/png
    Content-Disposition: inline; filename="logo.png"
    Content-Transfer-Encoding: base64

    iVBORw0KGgoAAAA=
    --b--
    """

  @Test func eachAttachmentIsADocumentWithItsLocation() throws {
    let reading = try folder.read("f.eml", Self.message)
    #expect(
      reading.ids == [
        "outer@x", "f.eml/café.txt", "f.eml/note.txt", "f.eml/attachment.eml", "f.eml/attachment.eml/x.md",
      ])
    let texts = try reading.documents.map { try $0.members()["text"] }
    #expect(
      texts == [.string("body"), .string("attached"), .string("ная"), .string("inner body"), .string("# Heading")])
    #expect(try reading.documents[0].members()["cc"] == .string("c@x"))
    #expect(try reading.documents[1].members()["path"] == .string("f.eml/café.txt"))
    #expect(try reading.documents[3].members()["subject"] == .string("inner"))
    #expect(try reading.documents[4].members()["title"] == .string("Heading"))
    #expect(reading.kinds == [.skippedMember])
    #expect(reading.problems[0].path == "f.eml/logo.png")
  }

  @Test func attachmentsOfAMailboxHaveTheNumberOfTheMessage() throws {
    let reading = try folder.read("f.mbox", "From a\n\nfirst\n\nFrom b\n\(Self.message)\n")
    #expect(reading.ids.prefix(3) == ["f.mbox#1", "outer@x", "f.mbox#2/café.txt"])
    #expect(reading.documents[2].line == 5)
  }

  @Test func attachmentsWithTheSameNameAreNumbered() throws {
    let part = "--b\nContent-Disposition: attachment; filename=a.txt\n\nx\n"
    let reading = try folder.read(
      "f.eml", "Content-Type: multipart/mixed; boundary=b\n\n\(part)\(part)\(part)--b--\n")
    #expect(reading.ids == ["f.eml", "f.eml/a.txt", "f.eml/a-2.txt", "f.eml/a-3.txt"])
  }

  @Test func mediaTypeDeterminesTheFormatOfANameWithoutExtension() throws {
    let rtf = "{\\rtf1 lighthouse}"
    let reading = try folder.read("f.eml", "Content-Type: application/rtf; name=Report\n\n\(rtf)\n")
    #expect(reading.ids == ["f.eml", "f.eml/Report"])
    #expect(try reading.documents[1].members()["text"] == .string("lighthouse"))
  }

  @Test func nestingIsLimited() throws {
    var message = "Subject: x\n\ninnermost\n"
    for _ in 0..<30 { message = "Content-Type: message/rfc822\n\n\(message)" }
    let reading = try folder.read("f.eml", message)
    #expect(reading.documents.count == 6 && reading.kinds == [.skippedMember])
    var parts = "text\n"
    for number in 0..<100 { parts = "Content-Type: multipart/mixed; boundary=b\(number)\n\n--b\(number)\n\(parts)" }
    #expect(try folder.read("f.eml", parts).documents.count == 1)
  }

  @Test(arguments: [
    ("text/html", "<p>words</p>", "text/calendar", "BEGIN:VCALENDAR"),
    ("text/x-amp-html", "<p>amp</p>", "text/html", "<p>words</p>"),
    ("text/html", "<p>words</p>", "text/x-other", "other"), ("text/html", "<p>no</p>", "text/plain", "words"),
  ])
  func alternatives(first: String, one: String, second: String, two: String) throws {
    let parts = "--b\nContent-Type: \(first)\n\n\(one)\n--b\nContent-Type: \(second)\n\n\(two)\n--b--\n"
    let reading = try folder.read("f.eml", "Content-Type: multipart/alternative; boundary=b\n\n\(parts)")
    #expect(try reading["text"] == .string("words"))
    #expect(reading.documents.count == (second == "text/calendar" ? 2 : 1))
  }

  @Test func styleSheetsAndRichTextAreNotTextOfAMessage() throws {
    let parts = "--b\n\nwords\n--b\nContent-Type: text/css\n\np {}\n--b\nContent-Type: text/rtf\n\n{\\rtf1}\n--b--\n"
    let reading = try folder.read("f.eml", "Content-Type: multipart/mixed; boundary=b\n\n\(parts)")
    #expect(try reading["text"] == .string("words"))
    let event = try folder.read("f.eml", "Content-Type: text/calendar\n\nBEGIN:VCALENDAR\n")
    #expect(try event["text"] == .string("BEGIN:VCALENDAR\n"))
  }

  @Test func frontMatterOfAttachments() throws {
    func message(_ text: String) -> String {
      """
      Content-Type: multipart/mixed; boundary=b

      --b

      words
      --b
      Content-Disposition: attachment; filename="tea.md"
      Content-Type: text/markdown

      ---
      \(text)
      ---
      # Pour
      --b--
      """
    }
    let reading = try folder.read("f.eml", message("title: Tea\ntags: [drink]"))
    let attachment = try #require(reading.documents.last)
    #expect(attachment.id == "f.eml/tea.md" && attachment.text.contains(#""meta":{"tags":["drink"]}"#))
    let members = try attachment.members()
    #expect(members["title"] == .string("Tea") && members["text"] == .string("# Pour"))
    let broken = try folder.read("f.eml", message("a: [1"))
    #expect(broken.kinds == [.frontMatter] && broken.documents.count == 2)
  }

  @Test func htmlAlternativeIsUsedIfThePlainTextIsBlank() throws {
    let reading = try folder.read(
      "f.eml",
      """
      Content-Type: multipart/alternative; boundary=b

      --b

       
      --b
      Content-Type: text/html

      <p>page
      --b--
      """)
    #expect(try reading["text"] == .string("page"))
  }

  @Test func lineThatIsNotAFieldBelongsToTheBody() throws {
    let reading = try folder.read("f.eml", "Subject: s\nno field here\nmore\n")
    #expect(try reading["subject"] == .string("s"))
    #expect(try reading["text"] == .string("no field here\nmore\n"))
  }

  @Test(arguments: [
    ("big5", [0xBF, 0x4F] as [UInt8], "燈"), ("ks_c_5601-1987", [0xB5, 0xEE], "등"), ("x-sjis", [0x93, 0x94], "灯"),
  ])
  func namesOfCharacterSets(name: String, bytes: [UInt8], text: String) throws {
    let reading = try folder.read("f.eml", Array("Content-Type: text/plain; charset=\(name)\n\n".utf8) + bytes)
    #expect(try reading["text"] == .string(text + "\n"))
  }
}
