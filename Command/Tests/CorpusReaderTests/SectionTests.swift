import JSONText
import Testing

@testable import CorpusReader

/// Notebooks, manual pages, Info files and subtitles are split into documents.
struct SectionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func cellsOfANotebook() throws {
    let reading = try folder.read(
      "f.ipynb",
      #"""
      {"nbformat":4,"metadata":{"authors":[{"name":"A. Fresnel"}]},"cells":[
      {"cell_type":"markdown","source":["# Tides\n","High water"]},
      {"cell_type":"code","source":""},
      {"cell_type":"code","source":"print(1)","outputs":[{"output_type":"stream","text":["1\n"]},
       {"output_type":"display_data","data":{"image/png":"iVBO","text/plain":"<Figure>"}}]}]}
      """#)
    #expect(reading.ids == ["f.ipynb:1", "f.ipynb:3"] && reading.problems.isEmpty)
    let first = try reading.documents[0].members()
    #expect(first["title"] == .string("Tides") && first["author"] == .string("A. Fresnel"))
    #expect(first["type"] == .string("notebook") && first["text"] == .string("# Tides\nHigh water"))
    #expect(try reading.documents[1].members()["text"] == .string("print(1)\n1\n\n<Figure>"))
  }

  @Test func cellsOfVersion3() throws {
    let reading = try folder.read(
      "f.ipynb", #"{"worksheets":[{"cells":[{"cell_type":"code","input":["a\n","b"]}]}]}"#)
    #expect(reading.ids == ["f.ipynb:1"])
    #expect(try reading["text"] == .string("a\nb"))
  }

  @Test func sectionsOfAManualPage() throws {
    let page = #"""
      '\" t
      .\" A comment
      .de XX
      not text
      ..
      .if t \{\
      .ds nothing
      .\}
      .TH LS 1 "March 2024" "GNU coreutils"
      .SH NAME
      ls \- list directory contents
      .SH "SEE ALSO"
      .BR dir (1),
      \fBvdir\fR\|(1) and \(lqna\['i]ve\(rq
      .SS Options
      .TP
      .B \-a
      show \
      all
      """#
    let reading = try folder.read("f.1", page)
    #expect(reading.ids == ["f.1:NAME", "f.1:SEE ALSO"] && reading.problems.isEmpty)
    let name = try reading.documents[0].members()
    #expect(name["title"] == .string("ls(1)") && name["created"] == .string("March 2024"))
    #expect(name["section"] == .int64(1) && name["sectionName"] == .string("NAME"))
    #expect(name["type"] == .string("man") && name["text"] == .string("ls - list directory contents\n"))
    #expect(
      try reading.documents[1].members()["text"]
        == .string("dir(1),\nvdir(1) and “nai\u{301}ve”\nOptions\n-a\nshow all\n"))
  }

  @Test func conditionsBeforeAManualPageMayHaveBracesOnLinesOfTheirOwn() throws {
    let page = #"""
      .if \n(.H>23 .if \n(.V>19 \
      \{\
      .    ds : e
      .    ds o a
      .\}
      .rm #[ #] #H #V #F C
      .TH CA 1 2023-10-23
      .SH NAME
      ca \- sign certificates
      """#
    let reading = try folder.read("f.1", page)
    #expect(reading.ids == ["f.1:NAME"])
    #expect(try reading["text"] == .string("ca - sign certificates\n"))
  }

  @Test func sectionsOfAnMdocPage() throws {
    let page = """
      .Dd March 3, 2024
      .Dt TEE 1
      .Os
      .Sh NAME
      .Nm tee
      .Nd duplicate input
      .Sh SYNOPSIS
      .Nm
      .Op Fl ai
      .Op Ar file ...
      .Sh SEE ALSO
      .Xr cat 1 ,
      .Xr sh 1
      """
    let reading = try folder.read("f.1", page)
    #expect(reading.ids == ["f.1:NAME", "f.1:SYNOPSIS", "f.1:SEE ALSO"])
    let texts = try reading.documents.map { try $0.members()["text"] }
    #expect(
      texts == [.string("tee\n— duplicate input\n"), .string("tee\n[-ai]\n[file ...]\n"), .string("cat(1),\nsh(1)\n")])
    #expect(try reading["title"] == .string("tee(1)"))
  }

  @Test func fileWithTheNameOfAManualPageIsText() throws {
    let reading = try folder.read("f.log.1", "A log\n=====\n\n.TH is not at the start\n")
    #expect(reading.ids == ["f.log.1"])
    #expect(try reading["type"] == .string("text"))
    #expect(try folder.read("f.so.1", ".so man1/other.1\n").ids == ["f.so.1"])
  }

  @Test func nestedConditionsEnd() throws {
    let line = "." + String(repeating: "if n .", count: 100_000) + "PP"
    #expect(try folder.read("f.1", ".TH A 1\n.SH N\ntext\n\(line)\n").ids == ["f.1:N"])
  }

  /// Searching for each missing delimiter up to the end of the line would take minutes.
  @Test(.timeLimit(.minutes(10))) func escapesWithoutAnEndAreReadInLinearTime() throws {
    for escape in ["\\[", "\\f["] {
      let line = String(repeating: escape, count: 100_001) + "x"
      let text = try folder.read("f.1", ".TH A 1\n.SH N\n\(line)\n")["text"]
      #expect(text == .string("x\n"))
    }
  }

  @Test func stringsThatAPageInsertsAreLimited() throws {
    let line = String(repeating: "\\*x", count: 100) + "\n"
    let page = ".TH A 1\n.ds x \(String(repeating: "a", count: 990))\n.SH N\n" + String(repeating: line, count: 120)
    guard case .string(let text) = try folder.read("f.1", page)["text"] else { return #expect(Bool(false)) }
    #expect(text.utf8.count > 9 << 20 && text.utf8.count <= 10 << 20 + 120)
  }

  @Test func nodesOfAnInfoFile() throws {
    let reading = try folder.read(
      "f.info",
      """
      This is f.info.

      START-INFO-DIR-ENTRY
      * Sed: (sed).                   Stream EDitor.
      END-INFO-DIR-ENTRY

      \u{1F}
      File: f.info,  Node: Top,  Next: Overview,  Up: (dir)

      Sed
      \u{1F}
      File: f.info,  Node: Overview,  Prev: Top,  Up: Top

      Streams
      \u{1F}
      Tag Table:
      Node: Top\u{7F}200
      \u{1F}
      End Tag Table
      """)
    #expect(reading.ids == ["f.info:Top", "f.info:Overview"])
    #expect(try reading["title"] == .string("Sed"))
    #expect(try reading.documents[1].members()["text"] == .string("\nStreams\n"))
  }

  @Test func cuesOfSubtitles() throws {
    let srt = try folder.read(
      "f.srt",
      "1\r\n00:00:01,500 --> 00:00:02,000\r\n<i>One</i> < two\r\n{\\an8}three\r\n\r\n2\r\n01:00:02,0 --> 01:00:03,0\r\nLast\r\n"
    )
    #expect(srt.ids == ["f.srt:00:00:01", "f.srt:01:00:02"])
    let first = try srt.documents[0].members()
    #expect(first["cue"] == .int64(1) && first["time"] == .string("00:00:01"))
    #expect(first["text"] == .string("One < two\nthree\n"))
    let vtt = try folder.read(
      "f.vtt", "WEBVTT - Interview\n\nNOTE x\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Anna>Hello\n")
    #expect(vtt.ids == ["f.vtt:00:00:01"])
    #expect(try vtt["title"] == .string("Interview"))
    #expect(try vtt["text"] == .string("Hello\n"))
    #expect(try folder.read("f.srt", "no cues\n").ids == ["f.srt"])
  }

  @Test func referencesInWebVTT() throws {
    let cue = "00:01.000 --> 00:02.000\n<b>A</b> &amp; B&nbsp;&#8217;&#x2019;&lt;i&gt; &x; &\n"
    #expect(try folder.read("f.vtt", "WEBVTT\n\n" + cue)["text"] == .string("A & B\u{A0}’’<i> &x; &\n"))
    #expect(try folder.read("f.srt", "00:00:01,0 --> 00:00:02,0\n&amp;\n")["text"] == .string("&amp;\n"))
  }
}
