import Concordance
import Testing

/// Keys that contain a dot, in the paths of the query builder.
@Suite struct EscapedPathTests {
  @Test(arguments: [#"geo\.lat"#, "`geo.lat`"]) func keyWithADotIsFound(path: String) throws {
    let test = try TemporaryDatabase()
    try test.save("a", #"{"geo.lat": 57, "geo": {"lat": 1}}"#)
    try test.save("b", #"{"geo": {"lat": 57}}"#)
    let query = QueryBuilder.select(SelectResult.property(path)).from(DataSource.collection(test.collection))
      .where(Expression.property(path).equalTo(Expression.int(57)))
    #expect(try query.execute().map { $0.toJSON() } == [#"{"geo.lat":57}"#])
  }
}
