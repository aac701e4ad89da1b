@testable import Concordance
import Foundation
import Testing

/// Each method of expressions creates the model of the SQL++ in its documentation.
@Suite struct BuilderExpressionTests {
  @Test func properties() throws {
    try expect(property("name"), is: "name")
    try expect(property("geo.alt"), is: "geo.alt")
    try expect(property("reviews[0].name"), is: "reviews[0].name")
    try expect(property("reviews[-1]"), is: "reviews[-1]")
    try expect(property("`odd.key`.`back``tick`[1][2]"), is: "`odd.key`.`back``tick`[1][2]")
    try expect(property("first name"), is: "`first name`")
    try expect(property("select"), is: "`select`")
    try expect(property(#"odd\.key.x\[0[1]"#), is: "`odd.key`.`x[0`[1]")
    try expect(property(#"a\\.b\c"#), is: #"`a\`.`b\c`"#)
    try expect(property(#"`a\.b`"#), is: #"`a\.b`"#)
  }

  @Test func metadata() throws {
    try expect(Meta.id, is: "META().id")
    try expect(Meta.revisionID, is: "META().revisionID")
    try expect(Meta.sequence, is: "META().sequence")
    try expect(Meta.isDeleted, is: "META().deleted")
    try expect(Meta.expiration, is: "META().expiration")
  }

  @Test func arithmetic() throws {
    let (a, b) = (property("a"), property("b"))
    try expect(a.multiply(b), is: "a * b")
    try expect(a.divide(b), is: "a / b")
    try expect(a.modulo(b), is: "a % b")
    try expect(a.add(b), is: "a + b")
    try expect(a.subtract(b), is: "a - b")
    try expect(a.add(b).multiply(a.subtract(b)), is: "(a + b) * (a - b)")
  }

  @Test func comparisons() throws {
    let (a, b) = (property("a"), property("b"))
    try expect(a.lessThan(b), is: "a < b")
    try expect(a.lessThanOrEqualTo(b), is: "a <= b")
    try expect(a.greaterThan(b), is: "a > b")
    try expect(a.greaterThanOrEqualTo(b), is: "a >= b")
    try expect(a.equalTo(b), is: "a = b")
    try expect(a.notEqualTo(b), is: "a != b")
    try expect(a.is(b), is: "a = b")
    try expect(a.isNot(b), is: "a != b")
    try expect(a.is(Expression.value(nil)), is: "a IS NULL")
    try expect(a.isNot(Expression.string(nil)), is: "a IS NOT NULL")
    try expect(a.equalTo(Expression.value(nil)), is: "a = NULL")
    try expect(a.isValued(), is: "a IS VALUED")
    try expect(a.isNotValued(), is: "a IS NOT VALUED")
    try expect(a.between(int(1), and: b), is: "a BETWEEN 1 AND b")
  }

  @Test func logic() throws {
    let (a, b, c) = (property("a"), property("b"), property("c"))
    try expect(a.and(b), is: "a AND b")
    try expect(a.or(b), is: "a OR b")
    try expect(a.and(b).and(c), is: "a AND b AND c")
    try expect(a.or(b).or(c), is: "a OR b OR c")
    try expect(a.or(b).and(c), is: "(a OR b) AND c")
    try expect(a.and(b.or(c)), is: "a AND (b OR c)")
    try expect(Expression.not(a.equalTo(b)), is: "NOT (a = b)")
    try expect(Expression.negated(a.and(b)), is: "NOT (a AND b)")
  }

  @Test func stringsAndArrays() throws {
    let name = property("name")
    try expect(name.like(string("eng%")), is: "name LIKE 'eng%'")
    try expect(name.ilike(string("eng%")), is: "name ILIKE 'eng%'")
    try expect(name.regex(string("^eng"), flags: "i"), is: "REGEXP_CONTAINS(name, '^eng', 'i')")
    try expect(name.regex(string("\\bEng.*e\\b")), is: "REGEXP_CONTAINS(name, '\\bEng.*e\\b')")
    try expect(string("Armani").in([property("first"), property("last")]), is: "'Armani' IN (first, last)")
    try expect(name.in([]), is: "name IN ()")
    try expect(name.in(property("names")), is: "name IN names")
    try expect(name.in(Expression.parameter("names")), is: "name IN $names")
  }

  @Test func collations() throws {
    let name = property("name")
    try expect(name.collate(Collation.ascii()), is: "name COLLATE NOUNICODE")
    try expect(name.collate(Collation.ascii().ignoreCase(true)), is: "name COLLATE NOCASE")
    try expect(name.collate(Collation.ascii().ignoreCase(true).ignoreCase(false)), is: "name COLLATE NOUNICODE")
    try expect(name.collate(Collation.unicode()), is: "name COLLATE UNICODE")
    try expect(name.collate(Collation.unicode().ignoreCase(true)), is: "name COLLATE (UNICODE NOCASE)")
    try expect(name.collate(Collation.unicode().ignoreAccents(true)), is: "name COLLATE (UNICODE NODIAC)")
    try expect(
      name.collate(Collation.unicode().locale("de").ignoreCase(true).ignoreAccents(true)).equalTo(string("x")),
      is: "name COLLATE (UNICODE:de NOCASE NODIAC) = 'x'")
    // The root locale, on every machine.
    try expect(name.collate(Collation.unicode().locale("de").locale(nil)), is: "name COLLATE UNICODE")
    try expect(name.collate(Collation.unicode().locale("")), is: "name COLLATE UNICODE")
  }

  @Test func conditionsOnElements() throws {
    let review = ArrayExpression.variable("review")
    let rating = ArrayExpression.variable("review.rating[0]")
    let reviews = property("reviews")
    try expect(
      ArrayExpression.any(review).in(reviews).satisfies(rating.greaterThan(int(4))),
      is: "ANY review IN reviews SATISFIES review.rating[0] > 4 END")
    try expect(
      ArrayExpression.every(review).in(reviews).satisfies(review.equalTo(property("best"))),
      is: "EVERY review IN reviews SATISFIES review = best END")
    try expect(
      ArrayExpression.anyAndEvery(review).in(reviews).satisfies(review.isValued()),
      is: "ANY AND EVERY review IN reviews SATISFIES review IS VALUED END")
    let inner = ArrayExpression.any(ArrayExpression.variable("word"))
      .in(ArrayExpression.variable("review.words"))
      .satisfies(ArrayExpression.variable("word").equalTo(ArrayExpression.variable("review.word")))
    try expect(
      ArrayExpression.every(review).in(reviews).satisfies(inner),
      is: "EVERY review IN reviews SATISFIES ANY word IN review.words SATISFIES word = review.word END END")
  }

  @Test func parametersAndFullText() throws {
    try expect(Expression.parameter("type"), is: "$type")
    try expect(Expression.parameter("odd name"), is: "$`odd name`")
    let index = Expression.fullTextIndex("text")
    try expect(FullTextFunction.match(index, query: "'buy' OR sell"), is: "MATCH(text, '''buy'' OR sell')")
    try expect(FullTextFunction.match(index, query: Expression.parameter("q")), is: "MATCH(text, $q)")
    try expect(FullTextFunction.rank(index), is: "RANK(text)")
    try expect(FullTextFunction.match(indexName: "text", query: "buy"), is: "MATCH(text, 'buy')")
    try expect(FullTextFunction.rank("text"), is: "RANK(text)")
  }

  @Test func descriptionIsSQL() {
    #expect("\(property("geo.alt").greaterThanOrEqualTo(int(300)))" == "geo.alt >= 300")
    #expect("\(Meta.id)" == "META().id")
  }
}
