import DocumentFormats
import JSONText

/// Reads Jupyter notebooks (<https://nbformat.readthedocs.io>).
enum Notebook {
  /// Returns the cells that are not empty, each with its source and its text output; nil if the text is not a notebook.
  /// A notebook without text is one part with its JSON.
  ///
  /// The title is the first heading of a Markdown cell, else the title in the metadata.
  static func cells(of text: UnsafeRawBufferPointer, parser: JSONParser, html: HTMLParser) -> [FilePart]? {
    guard let notebook = try? parser.parse(text), notebook.kind == .object else { return nil }
    // Version 3 of the format contains worksheets.
    var lists: [JSONElement] = []
    if let cells = notebook["cells"] {
      lists.append(cells)
    } else {
      notebook["worksheets"]?.forEachElement { sheet in if let cells = sheet["cells"] { lists.append(cells) } }
    }
    guard !lists.isEmpty, lists.allSatisfy({ $0.kind == .array }) else { return nil }
    var metadata = DocumentMetadata()
    var parts: [FilePart] = []
    var number = 0
    for list in lists {
      list.forEachElement { cell in
        number += 1
        guard cell.kind == .object else { return }
        let source = lines(cell["source"] ?? cell["input"])
        if metadata.title == nil, cell["cell_type"]?.string == "markdown" {
          metadata.title = Array(source.utf8).withUnsafeBytes { MarkdownContent.heading(in: $0, html: html) }
        }
        let text = ([source] + outputs(of: cell)).filter { !$0.isEmpty }.joined(separator: "\n")
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        parts.append(FilePart(location: PartLocation(.cell, number), text: Array(text.utf8)))
      }
    }
    metadata.title = metadata.title ?? notebook["metadata"]?["title"]?.string
    metadata.author = authors(of: notebook["metadata"])
    guard !parts.isEmpty else { return [FilePart(metadata: metadata, text: Array(text))] }
    return parts.map { FilePart(location: $0.location, metadata: metadata, text: $0.text) }
  }

  /// Returns the reason why ``cells(of:parser:html:)`` returns nil for a text.
  static func problem(with text: UnsafeRawBufferPointer, path: String, parser: JSONParser) -> CorpusProblem {
    let reason: String
    do {
      _ = try parser.parse(text)
      reason = "not a notebook: it has no cells"
    } catch {
      reason = "not JSON: \(error)"
    }
    return CorpusProblem(path: path, kind: .otherFormat, reason: "\(reason); the file is read as text")
  }

  /// Returns the text that the code of a cell printed. Pictures and tracebacks, which contain control sequences, are
  /// left out.
  private static func outputs(of cell: JSONElement) -> [String] {
    var texts: [String] = []
    cell["outputs"]?.forEachElement { output in
      guard output.kind == .object else { return }
      texts.append(lines(output["text"] ?? output["data"]?["text/plain"]))
    }
    return texts
  }

  /// Returns a string, or the joined lines of an array.
  private static func lines(_ value: JSONElement?) -> String {
    guard let value else { return "" }
    var text = value.string ?? ""
    value.forEachElement { text += $0.string ?? "" }
    return text
  }

  private static func authors(of metadata: JSONElement?) -> String? {
    var names: [String] = []
    metadata?["authors"]?.forEachElement { author in
      if let name = author.string ?? author["name"]?.string { names.append(name) }
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}
