/// Extracts the text of Office Open XML presentations (ECMA-376, part 1, PresentationML): one part per slide with its
/// notes, comments, diagrams and charts, in presentation order.
enum PresentationExtractor {
  static func extract(_ package: OfficePackage, member: String, _ extraction: Extraction) throws {
    let metadata = MetadataHandler.read("docProps/core.xml", in: package)
    let main = package.mainPart(default: "ppt/presentation.xml", document: member)
    let list = IDList(element: "sldId")
    try XMLEvents.parse(try package.required(main), list)
    let targets = package.relations(of: main, document: member).targets
    for (index, id) in list.ids.enumerated() {
      guard let slide = targets[id.relation], package[slide] != nil else { continue }
      let handler = OfficeTextHandler()
      package.parse(slide, of: member, handler)
      let relations = package.relations(of: slide, document: member)
      if let notes = relations.types["notesSlide"] {
        handler.beginMember()
        package.parse(notes, of: member, handler)
      }
      handler.append(RelatedText.read(relations, in: package, document: member))
      try extraction.emit(
        ExtractedPart(
          member: member, format: ExtractedFormat.pptx.rawValue, location: PartLocation(.slide, index + 1),
          metadata: metadata, content: handler.result))
    }
    try package.checkComplete()
  }
}
