/// The members of an office file or a book, in memory. Such a file is a ZIP archive.
struct OfficePackage {
  private var members: [String: [UInt8]] = [:]

  /// Reads the members that contain text; pictures and fonts are skipped.
  init(_ bytes: [UInt8], _ extraction: Extraction) throws {
    let reader = try ArchiveReader(bytes: bytes)
    do {
      while let member = try reader.next() {
        try extraction.countMember()
        guard member.isRegular, let name = Archives.safeName(member.name), OfficePackage.isText(name) else { continue }
        guard !member.isEncrypted else { throw ExtractionFailure(.encrypted, "the document is encrypted") }
        members[name] = try reader.read(limit: extraction.limits.partSize, count: extraction.count)
      }
    } catch let failure as ExtractionFailure where failure.kind == .damaged && !members.isEmpty {
      // The members before the damage are complete, for example in a truncated file.
      fault = failure
    }
    // A password-protected office file is not a ZIP archive but an OLE file.
    if members.isEmpty {
      let isOLE = bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0])
      throw isOLE
        ? ExtractionFailure(.encrypted, "the document is encrypted, or in the Office 97 format")
        : ExtractionFailure(.damaged, "not an office file: its ZIP archive has no text")
    }
  }

  /// The error that ended reading; nil if all members were read.
  private(set) var fault: ExtractionFailure?

  /// Returns a member; nil if no member has this name.
  subscript(name: String) -> [UInt8]? { members[name] }

  /// The names of all members, sorted.
  var names: [String] { members.keys.sorted() }

  /// Parses a member as XML; does nothing if it does not exist.
  func parse(_ name: String, _ handler: any XMLHandler) throws {
    if let member = members[name] { try XMLEvents.parse(member, handler) }
  }

  /// Returns a required member.
  ///
  /// - Throws: if the member is missing, the error that ended reading, or else an error that names the member.
  func required(_ name: String) throws -> [UInt8] {
    if let member = members[name] { return member }
    throw fault ?? ExtractionFailure(.damaged, "the document has no \(name)")
  }

  /// Throws if the archive is damaged. Called after all readable parts were extracted.
  func checkComplete() throws {
    if let fault { throw fault }
  }

  /// Returns the targets of a part's relationships by id and by type.
  func relations(of part: String) throws -> (targets: [String: String], types: [String: String]) {
    let (folder, name) = OfficePackage.split(part)
    let list = RelationshipList()
    try parse("\(folder)_rels/\(name).rels", list)
    return (
      list.targets.mapValues { OfficePackage.resolve($0, in: folder) },
      list.types.mapValues { OfficePackage.resolve($0, in: folder) }
    )
  }

  /// Resolves a path relative to a folder: `../slides/a.xml` in `ppt/x/` is `ppt/slides/a.xml`.
  static func resolve(_ target: String, in folder: String) -> String {
    if target.hasPrefix("/") { return String(target.dropFirst()) }
    var parts = folder.split(separator: "/")
    for part in target.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// Splits a path into its folder, with the slash, and its name.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }

  private static func isText(_ name: String) -> Bool {
    let name = name.lowercased()
    return [".xml", ".rels", ".xhtml", ".html", ".htm", ".opf"].contains { name.hasSuffix($0) }
  }
}

private final class RelationshipList: XMLHandler {
  var targets: [String: String] = [:]
  var types: [String: String] = [:]

  func start(_ name: String, _ attributes: [String: String]) {
    guard name == "Relationship", let target = attributes["Target"], attributes["TargetMode"] != "External" else {
      return
    }
    if let id = attributes["Id"] { targets[id] = target }
    if let type = attributes["Type"]?.split(separator: "/").last { types[String(type)] = target }
  }

  func end(_ name: String) {}
  func text(_ text: String) {}
}

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
    try? package.parse(name, handler)
    return handler.metadata
  }
}
