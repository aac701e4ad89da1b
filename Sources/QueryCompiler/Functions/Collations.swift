import TextAnalysis

/// Looks up collations by their names in SQL.
enum Collations {
  /// Returns the collator that an argument names; nil if there is no such argument or it names BINARY.
  ///
  /// - Throws: ``QueryRuntimeError`` for an unknown name.
  static func collator(_ arguments: [QueryValue], at index: Int) throws -> Collator? {
    guard index < arguments.count, let name = arguments[index].string else { return nil }
    return try collator(named: name)
  }

  static func collator(named name: String) throws -> Collator? {
    guard let options = CollationOptions(name: name) else { throw QueryRuntimeError.unknownCollation(name) }
    return options.isBinary ? nil : try Collator(options)
  }
}
