import QueryModel

/// The columns that a part of a query searches, grouped by their analyzers.
struct ColumnScope {
  /// The searched columns of a group.
  struct Part {
    /// The number of the group in the index.
    let group: Int
    let columns: [Int]
  }

  /// The columns; nil for all.
  let columns: Set<Int>?
  /// The groups that are searched. If no column remains, these are all groups, and the query matches nothing.
  let parts: [Part]

  /// Creates a scope of some columns of an index; nil for all.
  init(_ groups: [ColumnGroup], columns: Set<Int>? = nil) {
    self.columns = columns
    let all = groups.enumerated().map { Part(group: $0, columns: $1.columns) }
    guard let columns else {
      parts = all
      return
    }
    let wanted = all.map { Part(group: $0.group, columns: $0.columns.filter(columns.contains)) }
      .filter { !$0.columns.isEmpty }
    parts = wanted.isEmpty ? all : wanted
  }

  /// Returns the union of the variants of the groups, in the order of the ``parts``. Groups with the same variant are
  /// merged.
  func union(_ variants: [CompiledMatch]) -> CompiledMatch {
    guard let first = variants.first else { return .nothing }
    if variants.allSatisfy({ $0 == first }) { return first }
    var merged: [(match: CompiledMatch, columns: [Int])] = []
    for (part, match) in zip(parts, variants) where match != .nothing {
      if let known = merged.firstIndex(where: { $0.match == match }) {
        merged[known].columns = (merged[known].columns + part.columns).sorted()
      } else {
        merged.append((match, part.columns))
      }
    }
    let phrases = merged.compactMap { match, columns in
      if case .phrase(let phrase) = match { ColumnPhrase(columns: columns, phrase: phrase) } else { nil }
    }
    if phrases.count == merged.count, phrases.count > 1 { return .phraseByColumns(phrases) }
    return .any(merged.map { .columns($0.columns, $0.match) })
  }
}

extension StoredFullTextIndex {
  /// Returns the columns that a filter selects.
  ///
  /// - Throws: ``TextIndexError`` of kind ``TextIndexErrorKind/unknownField``.
  func columns(_ filter: FieldFilter) throws -> [Int] {
    let named = try filter.names.map { try requiredColumn($0.name) }
    return filter.isExcluding ? definition.fields.indices.filter { !named.contains($0) } : named
  }
}
