import CorpusReader

/// Filters documents by the globs and types that the user gave.
struct DocumentFilter: Sendable {
  private let globs: PathGlobs
  private let wanted: PathGlobs?
  private let unwanted: PathGlobs?

  /// - Parameters:
  ///   - caselessGlobs: globs that ignore case. They apply after the others.
  ///   - fileTypes: the definitions of the types.
  /// - Throws: ``CommandFailure`` for an unknown type, `GlobError` for a malformed glob.
  init(
    globs: [String], caselessGlobs: [String], types: [String], unwantedTypes: [String],
    _ fileTypes: FileTypes = FileTypes()
  ) throws {
    func names(of types: [String]) throws -> PathGlobs? {
      guard !types.isEmpty else { return nil }
      return PathGlobs(
        try types.flatMap { type in
          guard let globs = fileTypes.globs(of: type) else {
            throw CommandFailure("unrecognized file type: \(type); --type-list shows all")
          }
          return globs
        })
    }
    let all =
      try globs.flatMap { try GlobOption.expanded($0) }
      + caselessGlobs.flatMap { try GlobOption.expanded($0, ignoringCase: true) }
    self.globs = PathGlobs(all)
    wanted = try names(of: types)
    unwanted = try names(of: unwantedTypes)
    isEmpty = all.isEmpty && types.isEmpty && unwantedTypes.isEmpty
  }

  /// Whether all documents are searched.
  let isEmpty: Bool

  /// Returns whether a document is searched. As in ripgrep, globs take precedence over types.
  func includes(_ id: String) -> Bool {
    let path = DocumentFilter.path(of: id)
    if let verdict = globs.verdict(on: path) { return verdict }
    if unwanted?.verdict(on: path) == true { return false }
    return wanted?.verdict(on: path) ?? true
  }

  /// Returns the file of a record's id: `data.jsonl` for `data.jsonl:12` and `data.jsonl:12:2`, `box.mbox` for
  /// `box.mbox#3`, `prices.xlsx` for `prices.xlsx:March`, `ls.1` for `ls.1:OPTIONS`.
  static func path(of id: String) -> String {
    if let file = fileOfSection(id) { return DocumentIdentity.path(ofID: file) }
    let colon = UInt8(ascii: ":")
    let bytes = Substring(id).utf8
    let head = withoutNumber(bytes, after: colon).map { withoutNumber($0, after: colon) ?? $0 }
    return DocumentIdentity.path(
      ofID: String(Substring(head ?? withoutNumber(bytes, after: UInt8(ascii: "#")) ?? bytes)))
  }

  /// Returns the file in the id of a sheet or a section, whose name may be any text; nil for any other id.
  private static func fileOfSection(_ id: String) -> String? {
    var rest = Substring(id)
    while let colon = rest.firstIndex(of: ":") {
      let file = String(id[..<colon])
      let name = file.split(separator: "/").last.map(String.init) ?? file
      if CorpusFormat.hasNamedParts(fileName: name) { return file }
      rest = rest[rest.index(after: colon)...]
    }
    return nil
  }

  /// Returns the text before a separator and a trailing number.
  private static func withoutNumber(_ id: Substring.UTF8View, after separator: UInt8) -> Substring.UTF8View? {
    let digits = id.reversed().prefix { $0 &- 0x30 < 10 }.count
    let head = id.dropLast(digits)
    return digits > 0 && head.last == separator ? head.dropLast() : nil
  }
}
