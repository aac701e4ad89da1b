import DocumentBuilders
import DocumentFormats
import Testing

/// Documents with malformed, missing, binary or deleted parts: the rest is extracted, and the defect is reported.
struct DamagedPartTests {
  private func extract(_ name: String, _ members: [(String, String)]) throws -> Extracted {
    try Extracted(try ArchiveBuilder.archive(.zip, texts: members), named: name)
  }

  @Test func malformedFooterKeepsTheDocument() throws {
    let extracted = try extract(
      "a.docx",
      [
        ("word/document.xml", "<d><p><r><t>main</t></r></p></d>"), ("word/footer1.xml", "<f><p><r><t>foot</t></r></x>"),
        ("word/header1.xml", "<h><p><r><t>head</t></r></p></h>"),
      ])
    #expect(extracted.fault == nil && extracted.texts == ["main\nfoot\nhead\n"])
    #expect(extracted.failures.map(\.member) == ["word/footer1.xml"] && extracted.failures.map(\.kind) == [.damaged])
  }

  @Test func malformedMainPartKeepsTheTextBeforeTheError() throws {
    let extracted = try extract("a.docx", [("word/document.xml", "<d><p><r><t>main</t></r></p><p></d>")])
    #expect(extracted.fault?.kind == .damaged && extracted.texts.first?.hasPrefix("main\n") == true)
  }

  @Test func malformedSharedStringsKeepTheOtherCells() throws {
    let extracted = try extract(
      "a.xlsx",
      [
        ("xl/workbook.xml", "<w xmlns:r='r'><sheets><sheet name='S' r:id='1'/></sheets></w>"),
        (
          "xl/_rels/workbook.xml.rels",
          "<R><Relationship Id='1' Type='x/worksheet' Target='s.xml'/></R>"
        ), ("xl/sharedStrings.xml", "<sst><si><t>one</t></si><si><t>two"),
        (
          "xl/s.xml",
          "<s><row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1'><v>7</v></c><c r='C1' t='s'><v>1</v></c></row></s>"
        ),
      ])
    #expect(extracted.fault == nil && extracted.texts == ["one\t7\n"])
    #expect(extracted.failures.map(\.member) == ["xl/sharedStrings.xml"])
  }

  @Test func malformedPartsOfOpenDocumentsKeepTheRest() throws {
    let styles = try extract(
      "a.odt",
      [("content.xml", "<d><text><p>main</p></text></d>"), ("styles.xml", "<styles><master-styles><p>head</p></x>")])
    #expect(styles.fault == nil && styles.texts == ["main\nhead\n"])
    #expect(styles.failures.map(\.member) == ["styles.xml"])
    for (name, content) in [
      ("a.odt", "<d><text><p>main</p></x>"), ("a.odp", "<d><page><p>main</p></x>"),
      ("a.ods", "<d><table name='T'><table-row><table-cell><p>main</p></table-cell></x>"),
    ] {
      let extracted = try extract(name, [("content.xml", content)])
      #expect(extracted.fault?.kind == .damaged && extracted.texts == ["main\n"], "\(name)")
    }
  }

  @Test func headersAndFootersOfOpenDocumentTextAreExtracted() throws {
    let extracted = try extract(
      "a.odt",
      [
        ("content.xml", "<d><text><p>main</p></text></d>"),
        (
          "styles.xml",
          "<styles><master-styles><master-page><header><p>head</p></header><footer><p>foot</p></footer></master-page>"
            + "</master-styles></styles>"
        ),
      ])
    #expect(extracted.fault == nil && extracted.texts == ["main\nhead\nfoot\n"])
  }

  @Test func deletedTextOfTrackedChangesIsNotExtracted() throws {
    let odt = try extract(
      "a.odt",
      [
        (
          "content.xml",
          "<d><text><tracked-changes><changed-region><deletion><p>gone<s/></p></deletion></changed-region></tracked-changes>"
            + "<p>kept</p></text></d>"
        )
      ])
    #expect(odt.texts == ["kept\n"])
    let docx = try extract(
      "a.docx",
      [
        (
          "word/document.xml",
          "<d><p><r><t>kept</t></r><del><r><delText>gone</delText></r></del><moveFrom><r><t>moved</t></r></moveFrom></p></d>"
        )
      ])
    #expect(docx.texts == ["kept\n"])
  }

  @Test func textBoxesAreExtractedOnceAndTabStopsAreNotText() throws {
    let box = "<txbxContent><p><r><t>box</t></r></p></txbxContent>"
    let alternatives = "<AlternateContent><Choice>\(box)</Choice><Fallback>\(box)</Fallback></AlternateContent>"
    let tabs = "<pPr><tabs><tab/><tab/></tabs></pPr>"
    let docx = try extract(
      "a.docx",
      [("word/document.xml", "<d><p>\(tabs)<r><t>one</t><tab/><t>two</t></r></p><p>\(alternatives)</p></d>")])
    #expect(docx.texts == ["one\ttwo\nbox\n\n"])
  }

  @Test func textOfShapesOnASheetIsExtracted() throws {
    let extracted = try extract(
      "a.ods",
      [
        (
          "content.xml",
          "<d><table name='T'><shapes><frame><text-box><p>shape</p></text-box></frame></shapes><table-row>"
            + "<table-cell><p>cell</p></table-cell></table-row></table></d>"
        )
      ])
    #expect(extracted.texts == ["cell\nshape\n"])
  }

  @Test func mediaTypesDetermineTheChaptersOfABook() throws {
    let items = """
      <item id='a' href='a.xht' media-type='application/xhtml+xml'/><item id='b' href='b' media-type='text/html'/>\
      <item id='c' href='c.png' media-type='image/png'/><item id='d' href='d.xhtml' media-type='application/xhtml+xml'/>\
      <item id='e' href='e.xhtml' media-type='application/xhtml+xml'/>
      """
    let spine = ["a", "b", "c", "d", "e", "f"].map { "<itemref idref='\($0)'/>" }.joined()
    let extracted = try extract(
      "a.epub",
      [
        ("META-INF/container.xml", "<c><rootfile full-path='a.opf'/></c>"),
        ("a.opf", "<package><manifest>\(items)</manifest><spine>\(spine)</spine></package>"), ("a.xht", "<p>one</p>"),
        ("b", "<p>two</p>"), ("c.png", "picture"), ("d.xhtml", "\u{0}\u{1}\u{2}"),
      ])
    #expect(extracted.texts == ["<p>one</p>", "<p>two</p>"] && extracted.fault == nil)
    #expect(extracted.failures.map(\.member) == ["d.xhtml", "e.xhtml", "f"])
  }

  @Test func rtfFontsDetermineTheCodePage() throws {
    let text =
      "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}{\\f2\\fcharset128 C;}}"
      + "\\'e9 {\\f1 \\'cc\\'e0\\'ff\\'ea} \\f2 \\'93\\'87\\plain \\'e9}"
    #expect(try Extracted(Array(text.utf8), named: "a.rtf").texts == ["é Маяк 島é"])
  }

  @Test func rtfTextBoxesAndNestedTablesAreExtracted() throws {
    let text =
      "{\\rtf1 a{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv 1}}{\\shptxt box}}{\\shprslt box}}b\\par one\\nestcell two\\nestcell"
      + "{\\*\\nesttableprops\\trowd\\nestrow}{\\nonesttables\\par}c}"
    #expect(try Extracted(Array(text.utf8), named: "a.rtf").texts == ["a\nbox\nb\none\ttwo\t\nc"])
  }

  @Test func encryptedOfficeFileIsDistinguishedFromOffice97() throws {
    let signature: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
    var file = signature + [UInt8](repeating: 0, count: 4096)
    #expect(try Extracted(file, named: "a.docx").fault?.kind == .otherFormat)
    let name = "EncryptedPackage".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
    file.replaceSubrange(1024 + 128..<1024 + 128 + name.count, with: name)
    for format in ["docx", "xlsx", "pptx"] {
      #expect(try Extracted(file, named: "a.\(format)").fault?.kind == .encrypted)
    }
  }
}
