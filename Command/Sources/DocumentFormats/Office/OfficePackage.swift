/// The members of an office file or a book, in memory. Such a file is a ZIP archive.
struct OfficePackage {
  private var members: [String: [UInt8]] = [:]

  private let extraction: Extraction

  /// Reads the members that contain text; pictures, fonts and embedded files are skipped.
  ///
  /// - Parameter isBook: whether to read members with unknown extensions as well, because the manifest of a book, not
  ///   their extension, determines the chapters.
  init(_ bytes: [UInt8], _ extraction: Extraction, isBook: Bool = false) throws {
    self.extraction = extraction
    // A password-protected office file is not a ZIP archive but an OLE file.
    if bytes.starts(with: OLEFile.signature) { throw OLEFile.failure(bytes) }
    let reader = try ArchiveReader(bytes: bytes)
    do {
      while let member = try reader.next() {
        try extraction.countMember()
        guard member.isRegular, let name = Archives.safeName(member.name),
          OfficePackage.isText(name) || isBook && !OfficePackage.isMedia(name)
        else { continue }
        guard !member.isEncrypted else { throw ExtractionFailure(.encrypted, "the document is encrypted") }
        members[name] = try reader.read(limit: extraction.limits.partSize, count: extraction.count)
      }
    } catch let failure as ExtractionFailure where failure.kind == .damaged && !members.isEmpty {
      // The members before the damage are complete, for example in a truncated file.
      fault = failure
    }
    if members.isEmpty { throw ExtractionFailure(.damaged, "not an office file: its ZIP archive has no text") }
  }

  /// The error that ended reading; nil if all members were read.
  private(set) var fault: ExtractionFailure?

  /// Returns a member; nil if no member has this name.
  subscript(name: String) -> [UInt8]? { members[name] }

  /// The names of all members, sorted.
  var names: [String] { members.keys.sorted() }

  /// Parses a member as XML; does nothing if it does not exist. The handler receives everything before an error, which
  /// is reported as a failure of the member: the other members are still extracted.
  ///
  /// - Parameter document: the path of the document, if it is a member of an archive.
  func parse(_ name: String, of document: String, _ handler: any XMLHandler) {
    guard let member = members[name] else { return }
    if let fault = XMLEvents.fault({ try XMLEvents.parse(member, handler) }) { report(fault, name, of: document) }
  }

  /// Reports a member that is not extracted, or only partially.
  func report(_ failure: ExtractionFailure, _ name: String, of document: String) {
    let path = document.isEmpty ? name : "\(document)/\(name)"
    extraction.skip(ExtractionFailure(failure.kind, member: path, failure.reason))
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

  /// Returns whether a member is certainly not text.
  private static func isMedia(_ name: String) -> Bool {
    let (_, name) = split(name)
    guard let dot = name.lastIndex(of: ".") else { return false }
    return mediaExtensions.contains(name[name.index(after: dot)...].lowercased())
  }

  private static let mediaExtensions: Set<String> = [
    "png", "jpg", "jpeg", "jfif", "gif", "webp", "svg", "bmp", "tif", "tiff", "ico", "ttf", "otf", "ttc", "woff",
    "woff2", "eot", "css", "js", "mp3", "m4a", "mp4", "m4v", "ogg", "oga", "ogv", "opus", "wav", "webm", "avi", "mov",
    "mkv", "smil",
  ]
}
