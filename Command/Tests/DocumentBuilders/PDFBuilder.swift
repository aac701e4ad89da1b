/// Creates PDF files with a page for each text. The font is not embedded; its codes are UTF-16.
public enum PDFBuilder {
  public static func file(pages: [String], title: String) -> [UInt8] {
    var objects: [String] = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count \(pages.count) /Kids [\(pages.indices.map { "\(7 + $0 * 2) 0 R" }.joined(separator: " "))] >>",
      "<< /Type /Font /Subtype /Type0 /BaseFont /Light /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>",
      "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Light /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) "
        + "/Supplement 0 >> /DW 600 >>",
      stream(unicodeMap),
      "<< /Title (\(title)) /Author (A. Fresnel) /CreationDate (D:20240501000000Z) >>",
    ]
    for (index, page) in pages.enumerated() {
      objects.append(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 800 800] /Contents \(8 + index * 2) 0 R "
          + "/Resources << /Font << /F1 3 0 R >> >> >>")
      let lines = page.split(separator: "\n").map { line in "<\(line.utf16.map { hex($0) }.joined())> Tj 0 -14 Td" }
      objects.append(stream("BT /F1 12 Tf 50 700 Td \(lines.joined(separator: " ")) ET"))
    }
    var file = "%PDF-1.5\n"
    var offsets: [Int] = []
    for (index, object) in objects.enumerated() {
      offsets.append(file.utf8.count)
      file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let table = file.utf8.count
    file += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for offset in offsets { file += String(repeating: "0", count: 10 - "\(offset)".count) + "\(offset) 00000 n \n" }
    file += "trailer << /Size \(objects.count + 1) /Root 1 0 R /Info 6 0 R >>\nstartxref\n\(table)\n%%EOF\n"
    return Array(file.utf8)
  }

  private static func stream(_ content: String) -> String {
    "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream"
  }

  private static func hex(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Maps each code to itself: one range for each high byte, at most 100 in a block.
  private static var unicodeMap: String {
    let ranges = (UInt16(0)..<216).map { "<\(hex($0 << 8))> <\(hex($0 << 8 | 0xFF))> <\(hex($0 << 8))>" }
    let blocks = stride(from: 0, to: ranges.count, by: 100).map { start in
      let block = ranges[start..<min(start + 100, ranges.count)]
      return "\(block.count) beginbfrange\n\(block.joined(separator: "\n"))\nendbfrange\n"
    }
    return "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"
      + "1 begincodespacerange <0000> <FFFF> endcodespacerange\n\(blocks.joined())endcmap end end"
  }
}
