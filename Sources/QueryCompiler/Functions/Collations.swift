import TextAnalysis

/// Collations by their names in SQL.
enum Collations {
  /// The collator that an argument names, or nil where there is none or it says BINARY.
  ///
  /// - Throws: ``QueryRuntimeError`` for a name that is none.
  static func collator(_ arguments: [QueryValue], at index: Int) throws -> Collator? {
    guard index < arguments.count, let name = arguments[index].string else { return nil }
    return try collator(named: name)
  }

  static func collator(named name: String) throws -> Collator? {
    guard let options = CollationOptions(name: name) else { throw QueryRuntimeError.unknownCollation(name) }
    return options.isBinary ? nil : try Collator(options)
  }
}
