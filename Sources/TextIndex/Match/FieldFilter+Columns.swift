import QueryModel

extension InvertedIndex {
  /// The columns that a filter leaves.
  ///
  /// - Throws: ``TextIndexError`` of kind ``TextIndexError/Kind/unknownField``.
  func columns(_ filter: FieldFilter) throws -> [Int] {
    let named = try filter.names.map { try requiredColumn($0.name) }
    return filter.isExcluding ? definition.fields.indices.filter { !named.contains($0) } : named
  }
}
