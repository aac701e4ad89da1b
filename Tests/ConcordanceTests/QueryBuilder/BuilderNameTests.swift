@testable import Concordance
import Foundation
import JSONText
import QueryModel
import TestSupport
import Testing

/// Names and values may contain any characters: the text of a query is parsed to the same query.
@Suite struct BuilderNameTests {
  static let names: [String] = [
    "", "name", "select", "SELECT", "from", "some", "exists", "null", "true", "meta", "Meta", "match", "rank", "count",
    "as",
    "any", "satisfies", "end", "*", "$", "$1", "_", "a.b", "a b", " a ", "`", "``", "'", "''", "\"", "\\", "\\'",
    "a`.b",
    "a'; DROP TABLE x; --", "--", "/* x */", "*/", "(", ")", "[", "]", "[0]", "{", "}", ":", ",", ";", "?", "%", "\0",
    "a\0b", "\n", "\r\n", "\t", "\u{1}", "\u{7F}", "\u{85}", "\u{A0}", "\u{2028}", "\u{FEFF}", "\u{FFFD}", "é",
    "e\u{301}", "\u{301}", "`\u{301}", "'\u{301}", "東京", "😀", "👩‍👩‍👧‍👦", "🇩🇪", "ﬀ", "\u{10FFFF}", "0", "1a", "-1",
    "1e5", "NaN", String(repeating: "x`'\"", count: 1000),
  ]

  private func check(_ query: Query, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
    #expect(query.buildError == nil, sourceLocation: sourceLocation)
    #expect(try SQLParser().parse(query.description) == query.model, sourceLocation: sourceLocation)
  }

  /// Returns a key as written in a path of the query builder, in which backslashes are escapes outside of backticks.
  private func quoted(_ key: String) -> String {
    let text = PropertyPath([.key(key)]).description
    return key.utf8.contains(UInt8(ascii: "\\")) && text == key ? "`\(key)`" : text
  }

  private func from(_ name: String, _ columns: any SelectResultProtocol...) -> Query {
    var draft = QueryBuilder.select(columns).draft
    draft.add(BuiltSource(QuerySource(.collection(CollectionPath(name, scope: nil))), database: nil))
    return Query(draft)
  }

  @Test(arguments: names.indices)
  func everyNameCanBeUsedEverywhere(index: Int) throws {
    let name = Self.names[index]
    let key = quoted(name)
    let path = "x.\(key)[0].\(key)"
    try check(from("hotel", SelectResult.property(key), SelectResult.property(path)))
    #expect(
      from("hotel", SelectResult.property(path)).model.columns[0].expression
        == .property(PropertyPath([.key("x"), .key(name), .position(0), .key(name)]), source: nil))
    try check(from("hotel", SelectResult.property("x").as(name)))
    try check(from("hotel", SelectResult.expression(Expression.parameter(name))))
    try check(from("hotel", SelectResult.expression(Expression.string(name))))
    try check(from("hotel", SelectResult.expression(Expression.value([name: name]))))
    try check(
      from("hotel", SelectResult.expression(Function.lower(property("a").collate(Collation.unicode().locale(name))))))
    try check(
      from("hotel", SelectResult.expression(FullTextFunction.match(Expression.fullTextIndex(name), query: name))))
    try check(from("hotel", SelectResult.expression(FullTextFunction.rank(name))))
    try check(from("hotel", SelectResult.expression(property(key).match(name))))
    let condition = ArrayExpression.any(ArrayExpression.variable(key)).in(property("list"))
      .satisfies(ArrayExpression.variable("\(key).\(key)[1]").equalTo(string(name)))
    try check(from("hotel", SelectResult.expression(condition)))
    // Collections and sources.
    try check(from(name, SelectResult.all(), SelectResult.all().from(name), SelectResult.property("\(key).a")))
    try check(
      from(name, SelectResult.expression(Meta.id.from(name)), SelectResult.expression(property("a").from(name))))
    try check(
      from(name, SelectResult.expression(FullTextFunction.rank(Expression.fullTextIndex(name).from(name)))))
  }

  @Test(arguments: names.indices)
  func everyNameCanBeAnAlias(index: Int) throws {
    let name = Self.names[index]
    let files = try Self.files.get()
    let source = DataSource.collection(files.collection)
    let query = QueryBuilder.select(SelectResult.all().from(name), SelectResult.property("\(quoted(name)).a"))
      .from(source.as(name))
      .join(Join.leftJoin(source.as("other")).on(Meta.id.from(name).equalTo(Meta.id.from("other"))))
      .where(FullTextFunction.match(Expression.fullTextIndex("i").from(name), query: "x"))
    try check(query)
    #expect(query.model.columns[1].expression == .property(PropertyPath([.key("a")]), source: name))
  }

  private static let files = Swift.Result { try TemporaryDatabase() }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func randomNames(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let length = Int.random(in: 1...6, using: &random)
      let name = (0..<length).map { _ in Self.names[Int.random(in: 0..<Self.names.count - 1, using: &random)] }.joined()
      let key = quoted(name)
      try check(
        from(
          name, SelectResult.property("\(key).\(key)").as(name), SelectResult.property(key),
          SelectResult.expression(
            Expression.value([name: [name]]).in([property("a.\(key)"), Expression.parameter(name)])),
          SelectResult.expression(FullTextFunction.match(indexName: name, query: name))))
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func randomTextsArePathsOrErrors(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", ".", "[", "]", "[0]", "[-1]", "[]", "`", "``", "\0", " ", "é", "\u{301}", "'", "1", "-", "*", "$", "\\",
    ]
    for _ in 0..<500 {
      let length = Int.random(in: 0...8, using: &random)
      let text = (0..<length).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
      for expression in [property(text), ArrayExpression.variable(text)] as [any ExpressionProtocol] {
        let query = from("hotel", SelectResult.expression(expression))
        if query.buildError == nil, !(expression is any VariableExpressionProtocol) {
          #expect((try? SQLParser().parse(query.description)) == query.model, "\(text.debugDescription)")
        }
      }
    }
  }
}
