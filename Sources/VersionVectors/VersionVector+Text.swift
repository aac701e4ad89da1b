extension VersionVector {
  /// Parses the text form of a vector, which may also contain legacy revision ids.
  ///
  /// - Throws: ``VersionError``.
  public init(text: some StringProtocol) throws(VersionError) {
    guard text.utf8.count <= VersionVector.maximumCount * 64 else { throw .tooLong }
    let halves = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    var lists: [[Version]] = []
    for half in halves { lists.append(try VersionVector.versions(half)) }
    guard var first = lists.first, !first.isEmpty else { throw .malformed(String(text.prefix(80))) }
    let current = first.removeFirst()
    guard lists.count == 2 else {
      try self.init(current: current, history: first)
      return
    }
    // A semicolon follows the current version and either zero or two merged versions.
    guard first.count == 0 || first.count == 2 else { throw .malformed(String(text.prefix(80))) }
    try self.init(current: current, merged: first, history: lists[1])
  }

  /// Creates a vector from the properties of a message: the current version and the rest of the vector.
  ///
  /// - Throws: ``VersionError``.
  public init(revision: String, history: String?) throws(VersionError) {
    guard let history, !history.isEmpty else {
      try self.init(text: revision)
      return
    }
    // If the history contains a semicolon, it starts with the merged versions, if any.
    let isSeparated = history.drop { $0 == " " }.hasPrefix(";")
    try self.init(text: revision + (isSeparated ? "" : history.contains(";") ? ", " : "; ") + history)
  }

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

  private static func versions(_ text: some StringProtocol) throws(VersionError) -> [Version] {
    var versions: [Version] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      var name = part.drop { $0 == " " }
      while name.last == " " { name.removeLast() }
      if name.isEmpty, !text.contains(",") { continue }
      versions.append(name.utf8.contains(UInt8(ascii: "@")) ? try Version(text: name) : try Version(revisionID: name))
    }
    return versions
  }
}
