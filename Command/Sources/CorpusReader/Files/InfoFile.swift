import DocumentFormats

/// Reads files of GNU Info (Texinfo manual, appendix "Info Format Specification").
enum InfoFile {
  private static let separator: UInt8 = 0x1F

  /// Returns the nodes; nil if the text has none. The title is that of the manual's directory entry, else the file name
  /// without extensions.
  static func nodes(of text: UnsafeRawBufferPointer, name: String) -> [FilePart]? {
    var lines = TextLines(text)
    var metadata = DocumentMetadata()
    metadata.title = String(name.prefix { $0 != "." })
    var parts: [FilePart] = []
    var node: (name: String, text: [UInt8])?
    func finish() {
      guard let (name, text) = node, text.contains(where: { !$0.isJSONSpace }) else { return }
      parts.append(
        FilePart(location: PartLocation(.section, parts.count + 1, name: name), metadata: metadata, text: text))
    }
    while let line = lines.next() {
      guard line.first == separator else {
        if node == nil, parts.isEmpty, let title = directoryTitle(line) { metadata.title = title }
        if node != nil {
          node?.text += line
          node?.text.append(UInt8(ascii: "\n"))
        }
        continue
      }
      finish()
      // The line after a separator is the header of a node or the name of a table, such as "Tag Table:".
      node = lines.next().flatMap(nodeName).map { ($0, []) }
    }
    finish()
    return parts.isEmpty ? nil : parts
  }

  /// Returns the name in a header: `File: sed.info,  Node: Overview,  Next: Invoking sed,  Up: Top`.
  private static func nodeName(_ line: UnsafeRawBufferPointer) -> String? {
    guard line.starts(with: "File:".utf8), line.count < 10_000 else { return nil }
    let text = String(decoding: line, as: UTF8.self)
    guard let start = text.firstRange(of: "Node:")?.upperBound else { return nil }
    let name = text[start...].prefix { $0 != "," && $0 != "\t" && $0 != "\u{7F}" }
    return LocationName.normalized(String(name))
  }

  /// Returns the title in a directory entry: `* Sed: (sed).  Stream editor.`.
  private static func directoryTitle(_ line: UnsafeRawBufferPointer) -> String? {
    guard line.starts(with: "* ".utf8), line.count < 1000 else { return nil }
    let text = String(decoding: line, as: UTF8.self).dropFirst(2)
    guard let colon = text.firstRange(of: ": (") else { return nil }
    return String(text[..<colon.lowerBound])
  }
}
