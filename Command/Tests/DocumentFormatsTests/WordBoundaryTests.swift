import DocumentFormats
import Testing

/// Words are not joined with those of notes, comments, text boxes and fields beside them.
struct WordBoundaryTests {
  private func odt(_ content: String) throws -> String {
    try Extracted([("content.xml", "<d><text>\(content)</text></d>")], named: "a.odt").texts.joined()
  }

  private func docx(_ content: String) throws -> String {
    try Extracted([("word/document.xml", "<d>\(content)</d>")], named: "a.docx").texts.joined()
  }

  private func rtf(_ content: String) throws -> String {
    try Extracted(Array("{\\rtf1 \(content)}".utf8), named: "a.rtf").texts.joined()
  }

  @Test func notesAndCommentsOfOpenDocumentTextFollowTheirParagraph() throws {
    let note = "<note><note-citation>1</note-citation><note-body><p>Built in 1850.</p></note-body></note>"
    #expect(try odt("<p>The lighthouse\(note) stands.</p>") == "The lighthouse stands.\nBuilt in 1850.\n")
    let comment = "<annotation><creator>Ann</creator><date>2024-01-01</date><p>Check</p></annotation>"
    #expect(try odt("<p>Har\(comment)bour</p><p>closed</p>") == "Harbour\nCheck\nclosed\n")
    let both = "<p>Har<note><note-body><p>No\(comment)te</p></note-body></note>bo\(comment)ur</p>"
    #expect(try odt(both) == "Harbour\nCheck\nNote\nCheck\n")
    #expect(try odt("\(comment)<p>a</p>") == "Check\na\n")
    #expect(try odt("<p>on <date>May 1</date></p>") == "on May 1\n")
  }

  @Test func framesOfOpenDocumentTextAreOnTheirOwnLines() throws {
    #expect(
      try odt("<p>Before<frame><text-box><p>Boxed</p></text-box></frame>After</p>") == "Before\nBoxed\nAfter\n")
    #expect(
      try odt("<p>a<frame><title>Map</title><desc>A coast</desc></frame>b</p>") == "a\nMap\nA coast\nb\n")
  }

  @Test func fieldWithTheTitleIsPartOfItsLine() throws {
    #expect(try odt("<p>(<title>Lights</title>)</p>") == "(Lights)\n")
  }

  @Test func rubyTextFollowsItsParagraph() throws {
    #expect(
      try odt("<p><ruby><ruby-base>base</ruby-base><ruby-text>above</ruby-text></ruby>next</p><p>a</p>")
        == "basenext\nabove\na\n")
    func ruby(_ base: String, _ text: String) -> String {
      "<r><ruby><rt><r><t>\(text)</t></r></rt><rubyBase><r><t>\(base)</t></r></rubyBase></ruby></r>"
    }
    #expect(
      try docx("<p>\(ruby("漢", "かん"))\(ruby("字", "じ"))<r><t>です</t></r></p><p><r><t>a</t></r></p>")
        == "漢字です\nかん じ\na\n")
    let marked = "<r><ruby><rt><r><t>a</t><br/><t>b</t><sym char='00E9'/></r></rt><rubyBase>"
    #expect(try docx("<p>\(marked)<r><t>base</t></r></rubyBase></ruby></r></p>") == "base\na b\u{E9}\n")
  }

  @Test func rubyTextOfADamagedMemberStaysInItsMember() throws {
    let damaged = "<d><p><r><ruby><rubyBase><r><t>base</t></r></rubyBase><rt><r><t>above</t></r></rt>"
    let extracted = try Extracted(
      [("word/document.xml", damaged), ("word/footnotes.xml", "<d><p><r><t>note</t></r></p></d>")], named: "a.docx")
    #expect(extracted.texts.joined() == "base\nabove\nnote\n")
  }

  @Test func textBoxesOfWordDocumentsAreOnTheirOwnLines() throws {
    let box = "<r><pict><txbxContent><p><r><t>Boxed</t></r></p></txbxContent></pict></r>"
    #expect(
      try docx("<p><r><t>Before</t></r>\(box)<r><t>After</t></r></p>") == "Before\nBoxed\nAfter\n")
  }

  @Test func positionalTabsAndSymbolsSeparateWords() throws {
    #expect(try docx("<p><r><t>Confidential</t><ptab/><t>Draft</t></r></p>") == "Confidential\tDraft\n")
    #expect(try docx("<p><r><t>a</t><sym char='F0E0'/><t>b</t><sym char='00E9'/></r></p>") == "a b\u{E9}\n")
    #expect(try docx("<p><r><t>light</t></r><r><rPr><sym typeface='A'/></rPr><t>house</t></r></p>") == "lighthouse\n")
  }

  @Test func formulaWithinADeletionIsNotExtracted() throws {
    #expect(try docx("<p><r><t>kept</t></r><del><oMath><r><t>x</t></r></oMath></del></p>") == "kept\n")
  }

  @Test func notesAndCommentsOfRTFAreOnTheirOwnLines() throws {
    #expect(try rtf("lighthouse{\\footnote Built}stands") == "lighthouse\nBuilt\nstands")
    #expect(
      try rtf("lighthouse{\\*\\atnid A}{\\*\\annotation{\\*\\atndate 1}Check}stands") == "lighthouse\nCheck\nstands")
    #expect(try rtf("a\\emspace b") == "a b")
  }

  @Test func deletedTextOfRTFIsNotExtracted() throws {
    #expect(try rtf("kept {\\deleted\\revauthdel1 removed}{\\revised\\revauth1 added} tail") == "kept added tail")
    #expect(try rtf("a\\deleted b\\u233?{\\b c\\par}\\deleted0 d\\deleted1 e\\plain f") == "adf")
    #expect(try rtf("kept{\\footnote Note\\deleted x}tail") == "kept\nNote\ntail")
    #expect(try rtf("kept{\\deleted x{\\footnote Note}}tail") == "kepttail")
  }

  @Test func characterSetsOfRTFBeforeWindowsAreDecoded() throws {
    #expect(try rtf("\\mac \\'8e") == "\u{E9}")
    #expect(try rtf("\\pc \\'82") == "\u{E9}")
    #expect(try rtf("\\pca \\'9b") == "\u{F8}")
    #expect(try rtf("\\ansi{\\fonttbl{\\f1\\fcharset77 A;}}\\f1 \\'8e") == "\u{E9}")
  }
}
