extension VersionVector {
  /// Parses the text form of a vector, which may also contain legacy revision ids.
  ///
  /// - Throws: ``VersionError``.
  public init(text: some StringProtocol) throws(VersionError) { try self.init(utf8: Array(text.utf8)) }

  /// Creates a vector from the properties of a message: the current version and the rest of the vector.
  ///
  /// - Throws: ``VersionError``.
  public init(revision: String, history: String?) throws(VersionError) {
    var text = Array(revision.utf8)
    if let history, !history.isEmpty {
      // If the history contains a semicolon, it begins with the merged versions, if there are any.
      let isSeparated = history.utf8.first { $0 != UInt8(ascii: " ") } == UInt8(ascii: ";")
      if !isSeparated { text.append(UInt8(ascii: history.utf8.contains(UInt8(ascii: ";")) ? "," : ";")) }
      text += history.utf8
    }
    try self.init(utf8: text)
  }

  private init(utf8 text: [UInt8]) throws(VersionError) {
    guard text.count <= VersionVector.maximumCount * 64 else { throw .tooLong }
    guard let separator = text.firstIndex(of: UInt8(ascii: ";")) else {
      var versions = try VersionVector.versions(text[...])
      guard !versions.isEmpty else { throw .malformed(VersionVector.excerpt(text)) }
      let current = versions.removeFirst()
      try self.init(current: current, history: VersionVector.withoutOlderTreeIDs(versions, current))
      return
    }
    var merged = try VersionVector.versions(text[..<separator])
    // A semicolon follows the current version and either zero or two merged versions.
    guard merged.count == 1 || merged.count == 3 else { throw .malformed(VersionVector.excerpt(text)) }
    let current = merged.removeFirst()
    let history = try VersionVector.versions(text[(separator + 1)...])
    try self.init(
      current: current, merged: merged, history: VersionVector.withoutOlderTreeIDs(history, current))
  }

  private static func excerpt(_ text: [UInt8]) -> String { String(decoding: text.prefix(80), as: UTF8.self) }

  /// Returns the text form.
  ///
  /// - Parameter localSource: the id of the database, for text that is sent to a peer; nil to write `*`.
  public func text(localSource: SourceID? = nil) -> String {
    let rest = restText(localSource: localSource)
    let separator = merged.isEmpty ? "; " : ", "
    return rest.isEmpty
      ? current.text(localSource: localSource) : current.text(localSource: localSource) + separator + rest
  }

  /// Returns the text form without the current version, for the `history` property of a message.
  public func restText(localSource: SourceID? = nil) -> String {
    let old = history.map { $0.text(localSource: localSource) }.joined(separator: ", ")
    guard !merged.isEmpty else { return old }
    return merged.map { $0.text(localSource: localSource) }.joined(separator: ", ") + ";"
      + (old.isEmpty ? "" : " " + old)
  }

  /// Removes converted revision ids except the latest one. Couchbase Lite writes all ancestors of a revision that was
  /// saved by a version before 4 (`3-c, 2-b, 1-a`), but an author has only one entry in a vector.
  private static func withoutOlderTreeIDs(_ history: [Version], _ current: Version) -> [Version] {
    guard history.contains(where: { $0.author == .revisionTree }) else { return history }
    let latest = history.filter { $0.author == .revisionTree }.map(\.time).max()
    return history.filter { version in
      version.author != .revisionTree || current.author != .revisionTree && version.time == latest
    }
  }

  /// Parses a list of versions. An empty text contains no versions.
  private static func versions(_ text: ArraySlice<UInt8>) throws(VersionError) -> [Version] {
    var versions: [Version] = []
    var rest = text
    while true {
      let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
      var name = rest[..<end].drop { $0 == UInt8(ascii: " ") }
      while name.last == UInt8(ascii: " ") { name.removeLast() }
      if !name.isEmpty || end < text.endIndex || !versions.isEmpty { versions.append(try Version(anyUTF8: name)) }
      guard end < rest.endIndex else { return versions }
      rest = rest[(end + 1)...]
    }
  }
}
