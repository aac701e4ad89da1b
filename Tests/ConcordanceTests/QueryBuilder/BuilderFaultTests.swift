@testable import Concordance
import Foundation
import QueryModel
import Testing

/// Builder calls cannot throw: they record the error, and running the query throws it. No error ends the process.
@Suite struct BuilderFaultTests {
  let files: TemporaryDatabase
  let source: any DataSourceAs

  init() throws {
    files = try TemporaryDatabase()
    source = DataSource.collection(files.collection)
  }

  @Test func invalidPaths() {
    expectFault(property(""), "a path needs at least one key")
    expectFault(property("a..b"), "property path \"a..b\": a key is missing at byte 2")
    expectFault(property("a."), "a key is missing after the dot")
    expectFault(property("a[x]"), "expected a whole number")
    expectFault(property("a[99999999999999999999]"), "expected a whole number")
    expectFault(property("`a"), "the closing backtick is missing")
    expectFault(property("[0].a"), "a path begins with a key")
    expectFault(property("a[].b"), "[] selects many values")
    expectFault(property("a.").from("h"), "a key is missing after the dot")
    expectFault(ArrayExpression.variable("r."), "a key is missing after the dot")
    expectFault(ArrayExpression.variable("[1]"), "a path begins with a key")
  }

  struct View: CustomStringConvertible { var description: String { "a view" } }

  @Test func unsupportedValues() {
    expectFault(Expression.value(View()), "a query cannot contain a value of type View")
    expectFault(Expression.value({ 1 }), "a value of type")
    expectFault(Expression.double(.nan), "the number nan")
    expectFault(Expression.float(.infinity), "the number inf")
    expectFault(Expression.number(NSNumber(value: -Double.infinity)), "the number -inf")
    expectFault(Expression.value(Decimal.nan), "the number NaN")
    expectFault(Expression.value(Int128.max), "does not fit in 64 bits")
    expectFault(Expression.array([1, [2, View()] as [Any]]), "a value of type View")
    expectFault(Expression.dictionary(["a": ["b": Double.nan]]), "the number nan")
    expectFault(
      Expression.value(MutableDictionaryObject(data: ["a": [1, Double.nan]])),
      "an object that at a[1] contains the number nan")
    let loop = MutableArrayObject()
    loop.addArray(MutableArrayObject(data: [loop]))
    expectFault(Expression.value(loop), "an object that contains itself")
    expectFault(property("a").equalTo(View()), "a value of type View")
  }

  @Test func faultAnywhereInQueryIsReported() {
    let bad = property("a..b")
    let good = property("a")
    let from = QueryBuilder.select(SelectResult.all()).from(source)
    let queries: [Query] = [
      QueryBuilder.select(SelectResult.property("a..b").as("x")).from(source).limit(int(1)),
      from.where(good.and(bad)), from.where(bad.or(good)), from.where(good.in([good, bad])),
      from.where(Expression.not(bad)), from.where(Function.lower(bad)), from.where(good.between(good, and: bad)),
      from.where(bad.collate(Collation.unicode())), from.where(Function.count(bad)),
      from.where(ArrayExpression.any(ArrayExpression.variable("v")).in(bad).satisfies(good)),
      from.where(ArrayExpression.any(ArrayExpression.variable("v")).in(good).satisfies(bad)),
      from.where(ArrayExpression.any(ArrayExpression.variable("v..")).in(good).satisfies(good)),
      from.where(FullTextFunction.match(Expression.fullTextIndex("i"), query: bad)),
      from.where(Function.prediction(model: "m", input: bad).property("x")),
      from.where(Expression.value(["a": bad])), from.where(bad.from("x")),
      from.join(Join.join(source.as("b")).on(bad)).where(good),
      from.groupBy(good, bad).having(good), from.groupBy(good).having(bad).orderBy(Ordering.expression(good)),
      from.orderBy(Ordering.property("a..b").descending().nullsLast()).limit(int(1)),
      from.limit(bad), from.limit(int(1), offset: bad),
    ]
    for (position, query) in queries.enumerated() {
      #expect(query.buildError?.code == CBLError.invalidQuery, "\(position)")
    }
  }

  @Test func firstFaultIsReported() {
    let query = QueryBuilder.select(SelectResult.property("x..")).from(source).where(property("y.."))
    #expect(query.buildError?.message.contains("x..") == true)
    #expect(query.groupBy(property("z..")).buildError?.message.contains("x..") == true)
  }

  @Test func invalidVariables() {
    expectFault(
      ArrayExpression.any(ArrayExpression.variable("v.name")).in(property("a")).satisfies(property("b")),
      "ANY takes a variable, ArrayExpression.variable(\"name\"), not v.name")
  }

  @Test func incompatibleSources() throws {
    let other = try files.again()
    let elsewhere = DataSource.collection(try other.defaultCollection()).as("b")
    let from = QueryBuilder.select(SelectResult.all()).from(source)
    let two = from.join(Join.crossJoin(elsewhere))
    #expect(two.buildError?.message.contains("two Database objects, \"\(other.name)\" and ") == true)
    let twins = from.join(Join.crossJoin(source))
    #expect(twins.buildError?.message.contains("called \"_default\"; give one of them another name") == true)
    #expect(from.join(Join.crossJoin(source.as("b"))).buildError == nil)
    let condition = from.join(Join.leftJoin(source.as("b")))
    #expect(condition.buildError?.message.contains("a join needs a condition") == true)
    try other.close()
  }

  // MARK: Objects of a program

  struct Mine: ExpressionProtocol, PropertyExpressionProtocol, VariableExpressionProtocol, DataSourceProtocol,
    JoinProtocol, OrderingProtocol, SelectResultProtocol, CollationProtocol, IndexExpressionProtocol
  {
    var description: String { "mine" }
    func from(_ alias: String?) -> any ExpressionProtocol { self }
  }

  @Test func typesOfAProgramAreRefused() {
    let mine = Mine()
    let words = "a query cannot contain a Mine; create it with "
    expectFault(mine, words + "Expression")
    expectFault(mine.from("a").and(property("b")), words)
    expectFault(property("b").collate(mine), words + "Collation")
    expectFault(FullTextFunction.rank(mine), words + "Expression.fullTextIndex")
    expectFault(ArrayExpression.any(mine).in(property("a")).satisfies(property("b")), words)
    let from = QueryBuilder.select(SelectResult.all()).from(source)
    let queries: [Query] = [
      QueryBuilder.select(mine), QueryBuilder.select().from(mine), from.join(mine), from.orderBy(mine),
      from.orderBy(mine.nullsFirst()), from.join(Join.crossJoin(mine)),
    ]
    for query in queries { #expect(query.buildError?.message.contains(words) == true) }
  }

  // MARK: Depth

  @Test func deepExpressionsAreRefusedBeforeTheyCanOverflowTheStack() {
    func nested(_ count: Int, _ step: (any ExpressionProtocol) -> any ExpressionProtocol) -> any ExpressionProtocol {
      var expression: any ExpressionProtocol = property("a")
      for _ in 0..<count { expression = step(expression) }
      return expression
    }
    expectFault(nested(100_000) { $0.add(property("b")) }, "nested more than 256 levels deep")
    expectFault(nested(1000) { property("b").add($0) }, "nested more than 256 levels deep")
    expectFault(nested(1000) { Expression.not($0) }, "nested more than 256 levels deep")
    expectFault(nested(1000) { property("b").and($0) }, "nested more than 256 levels deep")
    expectFault(nested(1000) { $0.and(property("b")).or(property("c")) }, "nested more than 256 levels deep")
    expectFault(nested(1000) { Expression.value([$0]) }, "nested more than 256 levels deep")
    var value: Any = 1
    for _ in 0..<1000 { value = [value] }
    expectFault(Expression.value(value), "nested more than 256 levels deep")
    let array = MutableArrayObject()
    var inner = array
    for _ in 0..<500 {
      let next = MutableArrayObject()
      inner.addArray(next)
      inner = next
    }
    expectFault(Expression.value(array), "nested")
  }

  @Test func maximumDepthEqualsThatOfTheParser() throws {
    var sum: any ExpressionProtocol = property("a")
    for _ in 1..<SQLParser.maximumDepth { sum = sum.add(property("a")) }
    try expect(sum, is: Array(repeating: "a", count: SQLParser.maximumDepth).joined(separator: " + "))
    expectFault(sum.add(property("a")), "nested more than")
    #expect(throws: QuerySyntaxError.self) {
      try SQLParser().parseExpression(Array(repeating: "a", count: SQLParser.maximumDepth + 1).joined(separator: " + "))
    }
  }

  @Test func longConditionsDoNotNest() throws {
    var all: any ExpressionProtocol = property("a")
    for _ in 1..<1000 { all = all.and(property("a")) }
    try expect(all, is: Array(repeating: "a", count: 1000).joined(separator: " AND "))
  }
}
