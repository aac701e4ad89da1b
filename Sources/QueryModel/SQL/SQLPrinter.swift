import JSONText

/// Writes queries and expressions as SQL++ that ``SQLParser`` reads as the same query.
///
/// ```swift
/// let query = try SQLParser().parse("select `name`, (a+b) AS sum from hotel where (not (stars=5))")
/// SQLPrinter().text(of: query)
/// // SELECT name, a + b AS sum FROM hotel WHERE NOT stars = 5
/// ```
///
/// Parentheses stand only where the precedence of operators needs them, and names between backticks only where they
/// have to. Values are literals: a text may be kept or logged as it is, but nothing of it is hidden.
///
/// Queries that no text can ask for are written as closely as possible: a property of the same name as the variable of
/// an `ANY` around it gets the name of its source in front, `*` inside of operators stays as it is, and infinities are
/// `NULL`.
public struct SQLPrinter: Sendable {
  /// Makes a printer.
  public init() {}

  /// The text of a query.
  ///
  /// - Complexity: O(*n*) in the size of the query, which must not nest deeper than ``SQLParser/maximumDepth``.
  public func text(of query: SelectQuery) -> String {
    var writer = SQLWriter(sources: query.sourceNames)
    writer.write(query)
    return writer.text
  }

  /// The text of an expression, in which sources are called by their names.
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

/// The text so far, and the names that mean something at this place.
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

  /// A name, between backticks where it could be taken for something else.
  static func name(_ name: String) -> String {
    SQLLexer.isPlainName(name) ? name : quoted(name, by: "`")
  }

  /// Text between quotation marks, those inside doubled. By scalars: a mark may carry an accent.
  static func quoted(_ text: String, by mark: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView([mark])
    for scalar in text.unicodeScalars {
      if scalar == mark { result.append(mark) }
      result.append(scalar)
    }
    result.append(mark)
    return String(result)
  }

  /// A path as it stands behind another operand: `.name[0]`.
  static func path(_ components: some Sequence<PropertyPath.Component>) -> String {
    components.map { component in
      switch component {
      case .key(let key): "." + name(key)
      case .position(let position): "[\(position)]"
      case .each: "[]"
      }
    }.joined()
  }

  /// A source as it stands before a dot.
  func source(_ name: String) -> String {
    sources.keys(of: name).map(SQLWriter.name).joined(separator: ".")
  }
}
