import CorpusReader
import Foundation
import JSONText
import Testing

@Suite struct FileDocumentTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func membersOfAFile() throws {
    let reading = try folder.read("src/a \"b\".c", "int x;\n")
    #expect(reading.ids == ["src/a \"b\".c"])
    let members = try #require(try reading.documents.first?.members())
    #expect(
      members == [
        "path": .string("src/a \"b\".c"), "name": .string("a \"b\".c"), "type": .string("code"),
        "title": .string("src/a \"b\".c"), "size": .int64(7),
        "modified": .string("2024-06-03T08:11:12Z"), "text": .string("int x;\n"),
      ])
    #expect(reading.documents.first?.line == nil)
  }

  @Test(arguments: [
    ("Title\n=====\n\ntext", "Title"), ("=====\nTitle\n=====\n", "Title"), ("Title\n\ntext", "Title"),
    ("\n\n Title \n\n", "Title"),
    (".. SPDX-License-Identifier: GPL-2.0\n\n=======\n Title\n=======\n", "Title"),
    ("Title\r\n\r\ntext", "Title"),
    (".. toctree::\n   :maxdepth: 1\n\n   a\n\nTitle\n-----\n", "Title"), ("Title", "Title"),
    ("A sentence.\n\ntext", nil), ("one\ntwo\n", nil), ("", nil), ("-----\n\n", nil), ("***\n\ntext", nil),
    (String(repeating: "long ", count: 30) + "\n\ntext", nil),
  ])
  func titlesOfText(text: String, title: String?) throws {
    #expect(try folder.read("f.rst", text)["title"] == title.map { .string($0) })
  }

  @Test(arguments: [
    ("# Title #\n", "Title"), ("text\n\n## C# #\n", "C#"), ("Title\n===\n", "Title"),
    ("Title\n---\n", "Title"),
    ("```\n# no\n```\n# yes\n", "yes"), ("~~~~\n```\n# no\n~~~~\n# yes", "yes"), ("#no\n# yes", "yes"),
    ("    # code\n# yes", "yes"),
    ("- item\n---\n# yes", "yes"), ("\n---\n# yes", "yes"), ("####### no\n", nil), ("#\n# yes\n", "yes"),
    ("text", nil),
    ("| a | b |\n|---|---|\n", nil), ("# Title\r\ntext", "Title"),
    ("<!--\n# no\n-->\n\n# yes", "yes"), ("<!-- a -->\n# yes", "yes"), ("<!--\n# no", nil),
    ("Text\n\n    <!-- example\n\n# Title", "Title"), ("Text\n\n\t<!-- example\n\n# Title", "Title"),
    ("para\n    <!-- x\nmore\n\n# T", "T"),
    ("```js``` inline\n\n# yes", "yes"), ("One\n  two\n===\n", "One two"), ("One\n***\nTwo\n===\n", "Two"),
    ("1. a\n2. b\n---\n# yes", "yes"), (String(repeating: "long line\n", count: 200) + "---\n# yes", "yes"),
  ])
  func titlesOfMarkdown(text: String, title: String?) throws {
    #expect(try folder.read("f.md", text)["title"] == title.map { .string($0) })
  }

  @Test func frontMatter() throws {
    let reading = try folder.read(
      "f.md",
      """
      ---
      title: "The: title"
      date: 2024-05-01
      tags: [a, b]
      draft: true
      weight: 7
      ratio: 1.5
      code: 007
      version: 1.10
      quoted: "7"
      answer: no
      empty:
      nested: {x: {y: null}}
      ---
      # Heading
      """)
    #expect(reading.problems.isEmpty)
    #expect(try reading["title"] == .string("The: title"))
    #expect(try reading["text"] == .string("# Heading"))
    let meta = try #require(try reading["meta"])
    #expect(
      meta.text
        == #"{"date":"2024-05-01","tags":["a","b"],"draft":true,"weight":7,"ratio":1.5,"code":"007","version":"1.10","#
        + #""quoted":"7","answer":"no","empty":null,"nested":{"x":{"y":null}}}"#)
  }

  @Test(arguments: [
    "---\n\nText between rules.\n\n---\n", "---\nnever closed: 1\n", "----\na: 1\n---\n",
    "---\n- a\n- b\n---\n",
  ])
  func rulesWithoutAMappingAreNotFrontMatter(text: String) throws {
    let reading = try folder.read("f.md", text)
    #expect(try reading["text"] == .string(text))
    #expect(try reading["meta"] == nil)
    #expect(reading.problems.isEmpty)
  }

  @Test(arguments: [
    ("---\na: 1\nb: [1, 2\n---\nx", 4), ("---\na: 1\n\tb: 2\n---\nx", 3), ("---\na: 1\na: 2\n---\nx", 1),
  ])
  func brokenFrontMatterIsTextAndAWarning(text: String, line: Int) throws {
    let reading = try folder.read("f.md", text)
    #expect(try reading["text"] == .string(text))
    #expect(reading.kinds == [.frontMatter])
    #expect(reading.lines == [line])
    #expect(reading.problems.first?.isError == false)
  }

  @Test func hostileFrontMatter() throws {
    var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      bomb += "a\(level): &a\(level) [\(aliases)]\n"
    }
    #expect(try folder.read("f.md", "---\n\(bomb)---\nx").kinds == [.frontMatter])
    let deep = "a: " + String(repeating: "[", count: 5000) + "\n"
    #expect(try folder.read("f.md", "---\n\(deep)---\nx").kinds == [.frontMatter])
  }

  @Test func html() throws {
    let reading = try folder.read(
      "f.html",
      """
      <!DOCTYPE html><html><head><title>A &amp; B\n  page</title><style>p { x: y }</style></head>
      <body><script>var a = "<p>no</p>";</script><h1>Head</h1><p>One <b>bold</b> caf&eacute; &#x2014; &lt;tag&gt;</p>
      <ul><li>a</li><li>b</li></ul><!-- no --><table><tr><td>1</td><td>2</td></tr></table><pre>x
        y</pre>line<br>break<p>unclosed<div>end</div><noscript>plain</noscript></body></html>
      """)
    #expect(try reading["title"] == .string("A & B page"))
    #expect(
      try reading["text"]
        == .string("Head\nOne bold café — <tag>\na\nb\n1\t2\nx\n  y\nline\nbreak\nunclosed\nend\nplain"))
    #expect(try reading["type"] == .string("html"))
    #expect(reading.problems.isEmpty)
  }

  @Test func titleOfHTMLFromItsHeading() throws {
    #expect(
      try folder.read("f.html", "<h1>First <i>one</i></h1><h1>Second</h1>")["title"] == .string("First one"))
    #expect(try folder.read("f.html", "just text")["text"] == .string("just text"))
    #expect(try folder.read("f.html", "")["text"] == .string(""))
  }

  @Test func characterSetsOfHTML() throws {
    let declared = "<meta charset=\"koi8-r\"><p>"
    #expect(try folder.read("f.html", Array(declared.utf8) + [0xF0, 0xD2])["text"] == .string("Пр"))
    // Valid UTF-8 is decoded as UTF-8, whatever the page declares.
    #expect(try folder.read("f.html", declared + "Привет")["text"] == .string("Привет"))
    #expect(try folder.read("f.html", Array("<p>caf".utf8) + [0xE9])["text"] == .string("café"))
    // The declaration of XHTML.
    let xhtml = "<?xml version=\"1.0\" encoding=\"windows-1251\"?><html><body><p>"
    #expect(try folder.read("f.xhtml", Array(xhtml.utf8) + [0xCF, 0xF0])["text"] == .string("Пр"))
    // All bytes are ASCII.
    let escaped = "<meta charset=\"iso-2022-jp\"><p>\u{1B}$BEg\u{1B}(B x"
    #expect(try folder.read("f.html", escaped)["text"] == .string("島 x"))
    // The system's converter holds back the last letter, which may be combined with the next one.
    let hebrew = Array("<meta charset=\"windows-1255\"><p>".utf8) + [0xF9, 0xEC, 0xE5]
    #expect(try folder.read("f.html", hebrew)["text"] == .string("שלו"))
  }

  @Test func deepAndBrokenHTML() throws {
    let deep =
      String(repeating: "<div>", count: 20_000) + "core" + String(repeating: "</div>", count: 20_000) + "tail"
    let text = try folder.read("f.html", deep)["text"]
    #expect(text == .string("core\ntail"))
    let late = "<p>" + String(repeating: "a", count: 9000) + "\0b"
    #expect(
      try folder.read("f.html", late)["text"]
        == .string(String(late.dropFirst(3)).replacingOccurrences(of: "\0", with: "\u{FFFD}")))
  }
}
