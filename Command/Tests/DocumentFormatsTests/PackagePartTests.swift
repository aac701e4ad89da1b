import DocumentFormats
import Testing

/// Parts of Office Open XML packages that relationships determine.
struct PackagePartTests {
  private static func relations(_ list: [(id: String, type: String, target: String)]) -> String {
    let items = list.map { "<Relationship Id='\($0.id)' Type='http://x/\($0.type)' Target='\($0.target)'/>" }
    return "<Relationships>\(items.joined())</Relationships>"
  }

  private static func main(_ target: String) -> (String, String) {
    ("_rels/.rels", relations([("1", "officeDocument", target)]))
  }

  /// A workbook in the folder `xl` with a sheet that has these relationships.
  private static func workbook(
    _ cells: String, _ sheet: [(id: String, type: String, target: String)] = [], strings: String = ""
  ) -> [(String, String)] {
    [
      ("xl/workbook.xml", "<w xmlns:r='r'><sheet name='S' r:id='1'/></w>"),
      ("xl/_rels/workbook.xml.rels", relations([("1", "worksheet", "s.xml")])),
      ("xl/s.xml", "<s><row r='1'>\(cells)</row></s>"), ("xl/_rels/s.xml.rels", relations(sheet)),
      ("xl/sharedStrings.xml", "<sst>\(strings)</sst>"),
    ]
  }

  @Test func relationshipsOfThePackageDetermineTheMainPart() throws {
    let word = try Extracted(
      [
        Self.main("/docs/document2.xml"), ("docs/document2.xml", "<d><p><r><t>main</t></r></p></d>"),
        ("docs/footnotes.xml", "<d><p><r><t>note</t></r></p></d>"),
        ("docs/_rels/document2.xml.rels", Self.relations([("1", "header", "../head.xml")])),
        ("head.xml", "<d><p><r><t>head</t></r></p></d>"),
      ], named: "a.docx")
    #expect(word.fault == nil && word.texts == ["main\nnote\nhead\n"])
    let slides = try Extracted(
      [
        Self.main("p/main.xml"), ("p/main.xml", "<d xmlns:r='r'><sldId r:id='1'/></d>"),
        ("p/_rels/main.xml.rels", Self.relations([("1", "slide", "s.xml")])),
        ("p/s.xml", "<d><p><r><t>slide</t></r></p></d>"),
      ], named: "a.pptx")
    #expect(slides.fault == nil && slides.texts == ["slide\n"])
    let sheets = try Extracted(
      [
        Self.main("x/main.xml"), ("x/main.xml", "<d xmlns:r='r'><sheet name='S' r:id='1'/></d>"),
        ("x/_rels/main.xml.rels", Self.relations([("1", "worksheet", "s.xml")])),
        ("x/s.xml", "<s><row r='1'><c r='A1' t='s'><v>0</v></c></row></s>"),
        ("x/sharedStrings.xml", "<sst><si><t>cell</t></si></sst>"),
      ], named: "a.xlsx")
    #expect(sheets.fault == nil && sheets.texts == ["cell\n"])
  }

  @Test func theUsualMainPartIsReadIfTheTargetIsMissing() throws {
    let extracted = try Extracted(
      [Self.main("word/missing.xml"), ("word/document.xml", "<d><p><r><t>main</t></r></p></d>")], named: "a.docx")
    #expect(extracted.fault == nil && extracted.texts == ["main\n"])
  }

  @Test func relationshipIDsMayHaveAnotherPrefix() throws {
    let namespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    var members = Self.workbook("<c r='A1'><v>7</v></c>")
    members[0].1 = "<w xmlns:rel='\(namespace)'><sheet name='S' rel:id='1' id='9'/></w>"
    #expect(try Extracted(members, named: "a.xlsx").texts == ["7\n"])
  }

  @Test func commentsFollowTheRowsOfASheet() throws {
    let authors = "<authors><author>Ann</author><author>tc={1}</author></authors>"
    let comments = """
      <c>\(authors)<comment ref='A1' authorId='0'><text><r><t>An </t></r><r><t>old one</t></r></text></comment>\
      <comment ref='A2' authorId='1'><text><t>[Threaded comment]</t></text></comment></c>
      """
    let members = Self.workbook(
      "<c r='A1'><v>7</v></c>",
      [("1", "comments", "c.xml"), ("2", "threadedComment", "t.xml"), ("3", "comments", "c.xml")])
    let extracted = try Extracted(
      members + [
        ("xl/c.xml", comments), ("xl/t.xml", "<T><threadedComment><text>A new one</text></threadedComment></T>"),
      ],
      named: "a.xlsx")
    #expect(extracted.fault == nil && extracted.texts == ["7\nAn old one\nA new one\n"])
  }

  @Test func shapesDiagramsAndChartsFollowTheRowsOfASheet() throws {
    let members = Self.workbook("<c r='A1'><v>7</v></c>", [("1", "drawing", "d.xml")])
    let extracted = try Extracted(
      members + [
        ("xl/d.xml", "<d><sp><p><r><t>shape</t></r></p></sp></d>"),
        ("xl/_rels/d.xml.rels", Self.relations([("1", "diagramData", "m.xml"), ("2", "chart", "h.xml")])),
        ("xl/m.xml", "<m><t><p/></t><t><p><r><t>diagram</t></r></p></t></m>"),
        ("xl/h.xml", "<h><title><p><r><t>chart</t></r></p></title><v>3</v></h>"),
      ], named: "a.xlsx")
    #expect(extracted.fault == nil && extracted.texts == ["7\nshape\ndiagram\nchart\n"])
  }

  @Test func commentsAndDiagramsFollowTheTextOfASlide() throws {
    let relations = Self.relations([
      ("1", "comments", "c.xml"), ("2", "comments", "n.xml"), ("3", "diagramData", "m.xml"),
    ])
    let extracted = try Extracted(
      [
        ("ppt/presentation.xml", "<d xmlns:r='r'><sldId r:id='1'/></d>"),
        ("ppt/_rels/presentation.xml.rels", Self.relations([("1", "slide", "s.xml")])),
        ("ppt/s.xml", "<d><p><r><t>slide</t></r></p></d>"), ("ppt/_rels/s.xml.rels", relations),
        ("ppt/c.xml", "<c><cm><text>old</text></cm><cm><text>older</text></cm></c>"),
        ("ppt/n.xml", "<c><cm><txBody><p><r><t>new</t></r></p></txBody></cm></c>"),
        ("ppt/m.xml", "<m><t><p><r><t>diagram</t></r></p></t></m>"),
      ], named: "a.pptx")
    #expect(extracted.fault == nil && extracted.texts == ["slide\nold\nolder\nnew\ndiagram\n"])
  }

  @Test func diagramsOfAWordDocumentAreExtracted() throws {
    let extracted = try Extracted(
      [
        ("word/document.xml", "<d><p><r><t>main</t></r></p></d>"),
        ("word/_rels/document.xml.rels", Self.relations([("1", "diagramData", "diagrams/data1.xml")])),
        ("word/diagrams/data1.xml", "<m><t><p><r><t>diagram</t></r></p></t></m>"),
      ], named: "a.docx")
    #expect(extracted.fault == nil && extracted.texts == ["main\ndiagram\n"])
  }

  @Test func cellsHaveTheTextThatIsDisplayed() throws {
    let phonetic = "<t>tea</t><rPh><t>phonetic</t></rPh>"
    let cells = """
      <c r='A1' t='inlineStr'><is>\(phonetic)</is></c><c r='B1' t='s'><v>0</v></c><c r='C1' t='b'><v>1</v></c>\
      <c r='D1' t='s'><v>1</v></c>
      """
    let members = Self.workbook(cells, strings: "<si>\(phonetic)</si><si><t>one_x000D_two snake_x</t></si>")
    #expect(try Extracted(members, named: "a.xlsx").texts == ["tea\ttea\tTRUE\tone two snake_x\n"])
  }
}
