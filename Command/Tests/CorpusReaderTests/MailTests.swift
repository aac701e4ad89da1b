import CorpusReader
import JSONText
import Testing

@testable import CorpusReader

@Suite struct MailTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func mailbox() throws {
    let reading = try folder.read(
      "f.mbox",
      """
      From a@x Mon Jun  3 10:11:12 2024
      From: =?utf-8?Q?Andr=C3=A9?= <a@x>
      To: b@x,
       c@x
      Subject: =?utf-8?B?Y2Fm?= =?utf-8?B?w6k=?= is
       open
      Date: Mon, 3 Jun 2024 10:11:12 +0200 (CEST)
      Message-ID: <1@x>

      Hello
      >From here
      From there, in a paragraph

      From b@x Mon Jun  3 10:11:13 2024
      Subject: second
      Content-Type: text/plain; charset="iso-8859-1"
      Content-Transfer-Encoding: quoted-printable

      caf=E9 soft=
       break =3D

      """)
    #expect(reading.problems.isEmpty)
    #expect(reading.ids == ["1@x", "f.mbox#2"])
    #expect(reading.documents.map(\.line) == [1, 14])
    let first = try reading.documents[0].members()
    #expect(first["from"] == .string("André <a@x>"))
    #expect(first["to"] == .string("b@x, c@x"))
    #expect(first["subject"] == .string("café is open"))
    #expect(first["title"] == .string("café is open"))
    #expect(first["date"] == .string("2024-06-03T08:11:12Z"))
    #expect(first["text"] == .string("Hello\nFrom here\nFrom there, in a paragraph\n\n"))
    #expect(try reading.documents[1].members()["text"] == .string("café soft break =\n"))
  }

  @Test func nestedParts() throws {
    let reading = try folder.read(
      "f.mbox",
      """
      From x
      Content-Type: multipart/mixed; boundary="outer"

      preamble
      --outer
      Content-Type: multipart/alternative; boundary=inner

      --inner
      Content-Type: text/plain; charset=utf-8
      Content-Transfer-Encoding: base64

      Y2Fmw6k
      --inner
      Content-Type: text/html

      <p>no</p>
      --inner--
      --outer
      Content-Type: text/plain
      Content-Disposition: attachment; filename="x.txt"

      attached
      --outer--
      epilogue
      """)
    #expect(try reading["text"] == .string("café"))
  }

  @Test func htmlPartIsUsedWithoutAPlainTextPart() throws {
    let reading = try folder.read(
      "f.mbox", "From x\r\nContent-Type: text/html; charset=koi8-r\r\n\r\n<p>One<p>Two &amp; \r\n\r\n")
    #expect(try reading["text"] == .string("One\nTwo &"))
  }

  @Test func notAMailboxAndLargeMessages() throws {
    #expect(try folder.read("f.mbox", "hello\n").kinds == [.invalidRecord])
    #expect(try folder.read("f.mbox", "").documents.isEmpty)
    var options = CorpusOptions()
    options.maximumDocumentSize = 100
    let huge = String(repeating: "line\n", count: 400_000)
    let reading = try folder.read("f.mbox", "From a\n\nx\n\nFrom b\n\n\(huge)\nFrom c\n\ny\n", options)
    #expect(reading.ids == ["f.mbox#1", "f.mbox#3"])
    #expect(reading.kinds == [.tooLarge])
    #expect(reading.lines == [5])
  }

  @Test(arguments: [
    ("Mon, 3 Jun 2024 10:11:12 +0200", "2024-06-03T08:11:12Z"),
    ("3 Jun 24 10:11 EST", "2024-06-03T15:11:00Z"),
    ("Sat, 31 Dec 1994 23:59:60 GMT", "1995-01-01T00:00:00Z"),
    ("Fri, 21 Nov 97 09:55:06 -0600", "1997-11-21T15:55:06Z"),
    ("yesterday", nil), ("", nil), ("32 Jun 2024 10:11:12 +0000", nil), ("3 Jun 2024 25:11:12 +0000", nil),
  ])
  func dates(text: String, expected: String?) {
    #expect(MailDate.iso8601(text) == expected)
  }

  @Test(arguments: [
    ("plain", "plain"), ("=?utf-8?q?a_b?=", "a b"), ("x =?utf-8?q?=C3?= =?utf-8?q?=A9?= y", "x é y"),
    ("=?iso-8859-1?Q?=E9?= =?utf-8?b?w6k=?=", "éé"), ("=?utf-8*en?Q?a?=", "a"), ("=?broken", "=?broken"),
    ("=?utf-8?x?a?=", "=?utf-8?x?a?="),
    ("=?nonsense?q?=C3=A9?=", "é"), ("a =?utf-8?q??= b", "a  b"),
  ])
  func encodedWords(field: String, expected: String) {
    #expect(EncodedWords.decode(Array(field.utf8)) == expected)
  }
}

/// Files that contain one message.
struct SingleMessageTests {
  private let message = """
    From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>
    Subject: =?iso-8859-1?q?Caf=E9?=
    Message-ID: <one@example.org>
    Content-Type: text/plain; charset=utf-8

    Hello

    From here, the text goes on.
    >From there as well.
    """

  @Test func aMessageIsOneDocument() throws {
    let folder = try TemporaryFolder()
    let own = try folder.read("a.eml", message)
    let separated = try folder.read(
      "b.eml",
      "From x Mon Jan  1 00:00:00 2024\n" + message.replacing("Message-ID: <one@example.org>\n", with: ""))
    #expect(own.ids == ["one@example.org"] && separated.ids == ["b.eml"])
    for reading in [own, separated] {
      #expect(try reading["subject"] == .string("Café"))
      #expect(try reading["from"] == .string("Jürgen <j@example.org>"))
      #expect(try reading["text"] == .string("Hello\n\nFrom here, the text goes on.\n>From there as well.\n"))
    }
    #expect(try folder.read("empty.eml", "").ids.isEmpty)
  }

  @Test func filesOfAMaildirAreMessages() throws {
    let folder = try TemporaryFolder()
    try folder.write("Mail/cur/1700000000.M1.host:2,S", message)
    try folder.write("Mail/new/1700000001.M2.host", message)
    try folder.write("Mail/tmp/unfinished", "x")
    try folder.write("other/new/a", "text")
    // Folders in a mail folder begin with a dot.
    for folderName in [".Archive", ".Archive.2024", ".trash"] {
      for name in folderName == ".trash" ? ["files"] : ["cur", "new", "tmp"] {
        try folder.write("Mail/\(folderName)/\(name)/message-\(name)", message)
      }
    }
    try folder.write("other/.Archive/cur/b", "text")
    // A file with the extension of a text, and a folder without one of the three folders, are not mail.
    try folder.write("Mail/cur/notes.txt", "text")
    try folder.write("release/new/changes", "text")
    try folder.write("release/tmp/x", "text")
    var formats: [String: CorpusFormat] = [:]
    try CorpusWalker(paths: [folder.path]).walk { file in
      formats[String(file.absolutePath.dropFirst(folder.path.count + 1))] = file.format
    }
    #expect(
      formats
        == [
          "Mail/new/1700000001.M2.host": .mail, "other/new/a": .text, "Mail/.Archive/cur/message-cur": .mail,
          "Mail/.Archive/new/message-new": .mail, "Mail/.Archive.2024/cur/message-cur": .mail,
          "Mail/.Archive.2024/new/message-new": .mail, "Mail/cur/notes.txt": .text, "release/new/changes": .text,
          "release/tmp/x": .text,
        ].merging(["Mail/cur/1700000000.M1.host:2,S": .mail]) { $1 }, "\(formats)")
  }
}
