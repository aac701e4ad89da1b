/// Extracts workbooks of Office Open XML (SpreadsheetML): a part for each sheet. Line n of the text is row n, and tabs
/// separate its cells, so that the position of a word identifies its cell. Comments, shapes and titles of charts
/// follow.
enum WorkbookExtractor {
  static func extract(_ package: OfficePackage, member: String, _ extraction: Extraction) throws {
    let metadata = MetadataHandler.read("docProps/core.xml", in: package)
    let main = package.mainPart(default: "xl/workbook.xml", document: member)
    let list = IDList(element: "sheet")
    try XMLEvents.parse(try package.required(main), list)
    let relations = package.relations(of: main, document: member)
    let strings = SharedStrings()
    let folder = OfficePackage.split(main).folder
    package.parse(relations.types["sharedStrings"] ?? folder + "sharedStrings.xml", of: member, strings)
    for (index, sheet) in list.ids.enumerated() {
      guard let target = relations.targets[sheet.relation], package[target] != nil else { continue }
      let handler = SheetHandler(strings: strings.values, limit: extraction.limits.partSize)
      package.parse(target, of: member, handler)
      let related = RelatedText.read(
        package.relations(of: target, document: member), in: package, document: member)
      try extraction.emit(
        ExtractedPart(
          member: member, format: ExtractedFormat.xlsx.rawValue,
          location: PartLocation(.sheet, index + 1, name: sheet.name.isEmpty ? nil : sheet.name), metadata: metadata,
          content: handler.grid.result + related))
    }
    try package.checkComplete()
  }
}
