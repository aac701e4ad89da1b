import JSONText

/// Determines the id of a record.
struct RecordIdentity {
  /// The property that contains the id, if the user specified one.
  let idField: String?
  /// Throws an error if an id is not a valid document id.
  let checkID: (String) throws -> Void

  /// Reads the id of a record.
  ///
  /// - Returns: the id, or nil if the record has none; and whether the record has the property `_id`, which the caller
  ///   removes.
  /// - Throws: ``InvalidRecord`` if the id is invalid.
  func id(of record: JSONElement) throws(InvalidRecord) -> (id: String?, hasUnderscoreID: Bool) {
    let underscored = record["_id"]
    let hasUnderscoreID = underscored != nil
    if let idField, let value = record[idField], value.kind != .null {
      return (try text(of: value, idField), hasUnderscoreID)
    }
    if let underscored, underscored.kind != .null {
      return (try text(of: underscored, "_id"), hasUnderscoreID)
    }
    // `id` is an ordinary property of the record; a value that is not a valid document id is not an error.
    if let value = record["id"], let id = value.string ?? RecordIdentity.integer(value),
      let usable = try? validated(id, "id")
    {
      return (usable, hasUnderscoreID)
    }
    return (nil, hasUnderscoreID)
  }

  /// Returns the generated id of a record without an id: its path and line. An ordinal is appended only for the second
  /// and later records that begin on the same line, so most ids are short.
  static func location(_ path: String, line: Int, ordinal: Int) -> String {
    ordinal == 1 ? "\(path):\(line)" : "\(path):\(line):\(ordinal)"
  }

  /// Returns `id` if it is a valid document id; otherwise throws an error that names the property.
  func validated(_ id: String, _ property: String) throws(InvalidRecord) -> String {
    do {
      try checkID(id)
    } catch {
      throw InvalidRecord("the property \"\(property)\": \(error)")
    }
    return id
  }

  private func text(of value: JSONElement, _ property: String) throws(InvalidRecord) -> String {
    guard let id = value.string ?? RecordIdentity.integer(value) else {
      throw InvalidRecord("the id in \"\(property)\" is neither a string nor an integer")
    }
    return try validated(id, property)
  }

  private static func integer(_ value: JSONElement) -> String? {
    value.int64.map { String($0) } ?? value.uint64.map { String($0) }
  }
}

/// The error for a record that cannot be converted to a document.
struct InvalidRecord: Error {
  let reason: String

  /// The error for a record with a NUL byte, as in a file that was damaged when a computer lost power.
  static let nulByte = InvalidRecord("the record contains a NUL byte")

  init(_ reason: String) { self.reason = reason }
}

extension CorpusProblem {
  /// Whether the problem is a record that contains a NUL byte.
  var isNULByte: Bool { kind == .invalidRecord && reason == InvalidRecord.nulByte.reason }
}
