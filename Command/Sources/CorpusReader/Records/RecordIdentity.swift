import JSONText

/// What the id of a record is.
struct RecordIdentity {
  /// The property that the user named.
  let idField: String?

  /// Reads the id of a record.
  ///
  /// - Returns: the id and whether it is to be removed from the record as `_id`; the id is nil when the record has
  ///   none.
  /// - Throws: ``InvalidRecord`` when it has one that cannot be used.
  func id(of record: JSONElement) throws(InvalidRecord) -> (id: String?, hasUnderscoreID: Bool) {
    let underscored = record["_id"]
    let hasUnderscoreID = underscored != nil
    if let idField, let value = record[idField], value.kind != .null {
      return (try text(of: value, idField), hasUnderscoreID)
    }
    if let underscored, underscored.kind != .null {
      return (try text(of: underscored, "_id"), hasUnderscoreID)
    }
    // `id` is a property of the record's own; one that is no use as a document's id is no fault of the record.
    if let value = record["id"], let id = value.string ?? RecordIdentity.integer(value),
      let usable = try? RecordIdentity.validated(id, "id")
    {
      return (usable, hasUnderscoreID)
    }
    return (nil, hasUnderscoreID)
  }

  /// The id of a record that has none of its own: its path and line, and an ordinal from the second record on that begins on the
  /// line. Files with a record on each line, which is most of them, have the short form.
  static func location(_ path: String, line: Int, ordinal: Int) -> String {
    ordinal == 1 ? "\(path):\(line)" : "\(path):\(line):\(ordinal)"
  }

  /// Checks what a store takes as an id.
  static func validated(_ id: String, _ property: String) throws(InvalidRecord) -> String {
    if id.isEmpty { throw InvalidRecord("the id in \"\(property)\" is empty") }
    if id.utf8.count > 240 {
      throw InvalidRecord("the id in \"\(property)\" has \(id.utf8.count) bytes, more than 240")
    }
    if id.utf8.first == UInt8(ascii: "_") {
      throw InvalidRecord("the id \"\(id)\" begins with \"_\", which is reserved")
    }
    return id
  }

  private func text(of value: JSONElement, _ property: String) throws(InvalidRecord) -> String {
    guard let id = value.string ?? RecordIdentity.integer(value) else {
      throw InvalidRecord("the id in \"\(property)\" is neither a string nor an integer")
    }
    return try RecordIdentity.validated(id, property)
  }

  private static func integer(_ value: JSONElement) -> String? {
    value.int64.map { String($0) } ?? value.uint64.map { String($0) }
  }
}

/// A record that does not become a document, and why.
struct InvalidRecord: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
