import TextAnalysis

/// A tokenizer for each column group of an index. It must be used by one thread at a time.
final class GroupTokenizers {
  /// The groups, in the order of the index.
  let groups: [ColumnGroup]
  private let tokenizers: [Tokenizer]
  /// The number of the group of each column.
  private let groupOfColumn: [Int]

  init(_ index: StoredFullTextIndex) {
    groups = index.groups
    tokenizers = groups.map { $0.analyzer.takeTokenizer() }
    var numbers = Array(repeating: 0, count: index.definition.fields.count)
    for (number, group) in groups.enumerated() {
      for column in group.columns { numbers[column] = number }
    }
    groupOfColumn = numbers
  }

  deinit {
    for (group, tokenizer) in zip(groups, tokenizers) { group.analyzer.recycle(tokenizer) }
  }

  /// Returns the tokenizer of a group.
  subscript(group: Int) -> Tokenizer { tokenizers[group] }

  /// Returns the number of the group of a column.
  func group(ofColumn column: Int) -> Int { groupOfColumn[column] }

  /// Returns the tokenizer of a column.
  func tokenizer(ofColumn column: Int) -> Tokenizer { tokenizers[groupOfColumn[column]] }

  /// Returns the numbers of the groups that contain any of the columns; nil means all columns.
  func numbers(withColumnsIn columns: (some Sequence<Int>)?) -> [Int] {
    guard let columns else { return Array(groups.indices) }
    return Set(columns.map { groupOfColumn[$0] }).sorted()
  }
}

@available(*, unavailable)
extension GroupTokenizers: Sendable {}
