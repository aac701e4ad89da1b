import Concordance
import Foundation
import Testing

/// A program that also imports Foundation, and uses only public names.
struct PublicNameTests {
  @Test func namesDoNotClashWithFoundation() {
    let expression = Expression.property("a.b").equalTo(Expression.string("x"))
    #expect("\(expression)" == "a.b = 'x'")
    #expect("\(Expression.property("a").collate(Collation.unicode().ignoreCase(true)))" == "a COLLATE (UNICODE NOCASE)")
    #expect(Unicode.Scalar(65) == "A")
  }

  @Test func everyTypeCanBeNamed() throws {
    let files = try TemporaryDatabase()
    let source: any DataSourceAs = DataSource.collection(files.collection)
    let column: any SelectResultAs = SelectResult.expression(Expression.all().from("a"))
    let select: Select = QueryBuilder.select(column)
    let from: From = select.from(source.as("a"))
    let join: any JoinOnProtocol = Join.join(source.as("b"))
    let joins: Joins = from.join(join.on(Meta.id.from("a").equalTo(Meta.id.from("b"))))
    let grouped: GroupBy = joins.where(Expression.property("a.x").isValued()).groupBy(Expression.property("a.y"))
    let having: Having = grouped.having(Function.count().greaterThan(Expression.int(1)))
    let order: any QuerySortOrder = Ordering.property("a.y")
    let ordered: OrderBy = having.orderBy(order.descending())
    let limit: Limit = ordered.limit(Expression.int(1))
    let query: Query = limit
    #expect(
      query.description == """
        SELECT a.* FROM _default AS a JOIN _default AS b ON META(a).id = META(b).id WHERE a.x IS VALUED \
        GROUP BY a.y HAVING COUNT(*) > 1 ORDER BY a.y DESC LIMIT 1
        """)
  }
}
