extension ValueIndexTable {
  /// What the names of all tables of value indexes begin with; the number of the index follows.
  static let namePrefix = "concordance_vi_"

  /// Whether a statement of `sqlite_schema` makes the table of a value index, or an index of it.
  public static func isStatement(_ sql: String, ofObject name: String) -> Bool {
    guard name.hasPrefix(namePrefix) else { return false }
    let id = name.dropFirst(namePrefix.count).prefix { $0.isASCII && $0.isNumber }
    // Each key has two columns.
    let columnCount = sql.utf8.count { $0 == UInt8(ascii: ",") } + 1
    return [columnCount / 2, (columnCount - 1) / 2].contains { keyCount in
      [(true, true), (true, false), (false, true), (false, false)].contains { isOfDocuments, hasOutput in
        creation("\(namePrefix)\(id)", keyCount: keyCount, isOfDocuments: isOfDocuments, hasOutput: hasOutput)
          .contains(sql)
      }
    }
  }

  /// The statements that make the table and its indexes.
  ///
  /// - Parameters:
  ///   - name: the table.
  ///   - keyCount: how many expressions are indexed.
  ///   - isOfDocuments: whether a document has one row rather than one for each element of an array.
  ///   - hasOutput: whether the output of a model is kept.
  static func creation(_ name: String, keyCount: Int, isOfDocuments: Bool, hasOutput: Bool) -> [String] {
    let keys = keyNames(keyCount)
    let owner = isOfDocuments ? "doc INTEGER PRIMARY KEY" : "doc INTEGER NOT NULL"
    let columns = [owner] + keys + (hasOutput ? ["output"] : [])
    var statements = ["CREATE TABLE \(name) (\(columns.joined(separator: ", ")))"]
    if !keys.isEmpty {
      let indexed = (keys + (isOfDocuments ? [] : ["doc"])).joined(separator: ", ")
      statements.append("CREATE INDEX \(name)_keys ON \(name) (\(indexed))")
    }
    if !isOfDocuments { statements.append("CREATE INDEX \(name)_doc ON \(name) (doc)") }
    return statements
  }

  /// The columns of keys in the order of collations, then those of the values where these differ.
  static func keyNames(_ count: Int) -> [String] { (0..<count).map { "k\($0)" } + (0..<count).map { "e\($0)" } }
}
