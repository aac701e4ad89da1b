extension ValueIndexTable {
  /// The prefix of the names of value index tables; the number of the index follows.
  static let namePrefix = "concordance_vi_"

  /// Returns whether a statement of `sqlite_schema` creates the table of a value index or an index on it.
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

  /// Returns the statements that create the table and its indexes.
  ///
  /// - Parameters:
  ///   - name: the table.
  ///   - keyCount: the number of indexed expressions.
  ///   - isOfDocuments: whether the table has one row per document, instead of one per array element.
  ///   - hasOutput: whether the table stores the output of a model.
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

  /// Returns the names of the columns with sort keys, followed by those with the exact values that differ from them.
  static func keyNames(_ count: Int) -> [String] { (0..<count).map { "k\($0)" } + (0..<count).map { "e\($0)" } }
}
