import JSONText
import TextAnalysis

/// A tokenizer for each column group of an index. It must be used by one thread at a time.
final class GroupTokenizers {
  /// The groups, in the order of the index.
  let groups: [ColumnGroup]
  private let tokenizers: [Tokenizer]
  private let hasLanguages: Bool
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
    current = tokenizers
    hasLanguages = groups.contains { $0.analyzer.configuration.languageProperty != nil }
  }

  /// The tokenizers of the languages of documents, by group and language, for groups with a language property.
  private var variants: [Variant: Tokenizer] = [:]
  /// The tokenizers for the current document, by group.
  private var current: [Tokenizer]

  private struct Variant: Hashable {
    let group: Int
    let language: String
  }

  deinit {
    for (variant, tokenizer) in variants {
      groups[variant.group].analyzer.variant(for: variant.language).recycle(tokenizer)
    }
    for (group, tokenizer) in zip(groups, tokenizers) { group.analyzer.recycle(tokenizer) }
  }

  /// Selects the tokenizers for a document, whose language may determine them.
  ///
  /// - Parameter root: the parsed document.
  func select(for root: JSONElement) {
    guard hasLanguages else { return }
    for (number, group) in groups.enumerated() {
      guard let property = group.analyzer.configuration.languageProperty else { continue }
      let analyzer = group.analyzer.variant(for: root[property]?.string)
      guard analyzer.configuration.languageProperty == nil, let language = analyzer.configuration.language else {
        current[number] = tokenizers[number]
        continue
      }
      let variant = Variant(group: number, language: language)
      let tokenizer = variants[variant] ?? analyzer.takeTokenizer()
      variants[variant] = tokenizer
      current[number] = tokenizer
    }
  }

  /// Returns the tokenizer of a group for queries.
  subscript(group: Int) -> Tokenizer { tokenizers[group] }

  /// Returns the number of the group of a column.
  func group(ofColumn column: Int) -> Int { groupOfColumn[column] }

  /// Returns the tokenizer of a column for the selected document.
  func tokenizer(ofColumn column: Int) -> Tokenizer { current[groupOfColumn[column]] }

  /// Returns the numbers of the groups that contain any of the columns; nil means all columns.
  func numbers(withColumnsIn columns: (some Sequence<Int>)?) -> [Int] {
    guard let columns else { return Array(groups.indices) }
    return Set(columns.map { groupOfColumn[$0] }).sorted()
  }
}

@available(*, unavailable)
extension GroupTokenizers: Sendable {}
