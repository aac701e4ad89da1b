import JSONText

/// Writes queries and expressions as SQL++. ``SQLParser`` parses the output into an equal query.
///
/// ```swift
/// let query = try SQLParser().parse("select `name`, (a+b) AS sum from hotel where (not (stars=5))")
/// SQLPrinter().text(of: query)
/// // SELECT name, a + b AS sum FROM hotel WHERE NOT stars = 5
/// ```
///
/// Parentheses and backticks are written only if needed. Values are written as literals; nothing is masked, so take
/// care when a text is logged.
///
/// Queries that no text can express are approximated: a property with the name of an enclosing `ANY` variable gets its
/// source as a prefix, `*` inside operators is unchanged, and infinities become `NULL`.
public struct SQLPrinter: Sendable {
  /// Creates a printer.
  public init() {}

  /// Returns the text of a query.
  ///
  /// - Complexity: O(*n*) in the size of the query, which must not be nested deeper than ``SQLParser/maximumDepth``.
  public func text(of query: SelectQuery) -> String {
    var writer = SQLWriter(sources: query.sourceNames)
    writer.write(query)
    return writer.text
  }

  /// Returns the text of an expression.
  ///
  /// - Parameter sources: the sources that the expression refers to by name.
  public func text(of expression: QueryExpression, sources: [QuerySource] = []) -> String {
    var writer = SQLWriter(sources: SourceNames(of: sources))
    writer.write(expression)
    return writer.text
  }
}

extension SelectQuery: CustomStringConvertible {
  /// The query as SQL++.
  public var description: String { SQLPrinter().text(of: self) }
}

extension QueryExpression: CustomStringConvertible {
  /// The expression as SQL++.
  public var description: String { SQLPrinter().text(of: self) }
}

/// The text so far, and the names in scope.
struct SQLWriter {
  var text = ""
  let sources: SourceNames
  var variables: [String] = []

  init(sources: SourceNames) {
    self.sources = sources
  }

  mutating func write(_ query: SelectQuery) {
    text += query.isDistinct ? "SELECT DISTINCT " : "SELECT "
    list(query.columns) { writer, column in
      writer.write(column.expression)
      writer.alias(column.alias)
    }
    for (position, source) in query.sources.enumerated() { write(source, isFirst: position == 0) }
    clause(" WHERE ", query.filter)
    if !query.grouping.isEmpty {
      text += " GROUP BY "
      list(query.grouping) { $0.write($1) }
    }
    clause(" HAVING ", query.groupFilter)
    if !query.ordering.isEmpty {
      text += " ORDER BY "
      list(query.ordering) { $0.write($1) }
    }
    clause(" LIMIT ", query.limit)
    clause(" OFFSET ", query.offset)
  }

  mutating func list<T>(_ elements: [T], _ write: (inout SQLWriter, T) -> Void) {
    for (position, element) in elements.enumerated() {
      if position > 0 { text += ", " }
      write(&self, element)
    }
  }

  private mutating func clause(_ words: String, _ expression: QueryExpression?) {
    guard let expression else { return }
    text += words
    write(expression)
  }

  private mutating func alias(_ alias: String?) {
    if let alias { text += " AS " + SQLWriter.name(alias) }
  }

  private mutating func write(_ source: QuerySource, isFirst: Bool) {
    text += isFirst ? " FROM " : SQLWriter.joinWords(source)
    switch source.content {
    case .collection(let path):
      text += [path.scope, path.name].compactMap { $0 }.map(SQLWriter.name).joined(separator: ".")
    case .unnest(let array): write(array)
    }
    alias(source.alias)
    clause(" ON ", source.condition)
  }

  private static func joinWords(_ source: QuerySource) -> String {
    let left = source.join == .left ? " LEFT" : ""
    if case .unnest = source.content { return left + " UNNEST " }
    return (source.join == .cross ? " CROSS" : left) + " JOIN "
  }

  private mutating func write(_ term: SortTerm) {
    write(term.expression)
    if !term.isAscending { text += " DESC" }
    if let nulls = term.nulls { text += nulls == .first ? " NULLS FIRST" : " NULLS LAST" }
  }

  // MARK: Names and literals

  /// Returns a name, between backticks if it could be parsed as something else.
  static func name(_ name: String) -> String {
    SQLLexer.isPlainName(name) ? name : quoted(name, by: "`")
  }

  /// Returns the text between quotation marks, with marks inside doubled. Works on scalars, because a mark may be
  /// followed by a combining accent.
  static func quoted(_ text: String, by mark: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView([mark])
    for scalar in text.unicodeScalars {
      if scalar == mark { result.append(mark) }
      result.append(scalar)
    }
    result.append(mark)
    return String(result)
  }

  /// Returns a path as written after another operand: `.name[0]`.
  static func path(_ components: some Sequence<PropertyPath.Component>) -> String {
    components.map { component in
      switch component {
      case .key(let key): "." + name(key)
      case .position(let position): "[\(position)]"
      case .each: "[]"
      }
    }.joined()
  }

  /// Returns a source as written before a dot.
  func source(_ name: String) -> String {
    sources.keys(of: name).map(SQLWriter.name).joined(separator: ".")
  }
}
