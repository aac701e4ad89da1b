/// Collects Dublin Core metadata: `docProps/core.xml`, `meta.xml` and the package file of a book.
final class MetadataHandler: XMLHandler {
  private(set) var metadata = DocumentMetadata()
  private var current = ""

  func start(_ name: String, _ attributes: [String: String]) { current = "" }
  func text(_ text: String) { current += text }

  func end(_ name: String) {
    let words = current.split { $0.isWhitespace }.joined(separator: " ")
    current = ""
    guard !words.isEmpty, words.utf8.count <= 10_000 else { return }
    switch name {
    case "title": metadata.title = metadata.title ?? words
    case "creator", "initial-creator": metadata.author = metadata.author ?? words
    case "created", "creation-date": metadata.created = words
    case "date": metadata.created = metadata.created ?? words
    case "language": metadata.language = metadata.language ?? words
    default: break
    }
  }

  /// Returns the metadata in a member. Errors are ignored, so that the text of a document with malformed metadata is
  /// still extracted.
  static func read(_ name: String, in package: OfficePackage) -> DocumentMetadata {
    let handler = MetadataHandler()
    if let member = package[name] { try? XMLEvents.parse(member, handler) }
    return handler.metadata
  }
}
