import Concordance

/// The examples of Couchbase Lite's guide to the query builder, unchanged, for tests of their compiled form and their
/// results.
enum GuideQueries {
  /// SELECT: all properties.
  static func allProperties(_ collection: Concordance.Collection) -> Query {
    QueryBuilder
      .select(SelectResult.all())
      .from(DataSource.collection(collection))
  }

  /// SELECT: some properties.
  static func specificProperties(_ collection: Concordance.Collection) -> Query {
    QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("type"),
        SelectResult.property("name")
      )
      .from(DataSource.collection(collection))
  }

  /// WHERE: a comparison.
  static func whereClause(_ collection: Concordance.Collection) -> Query {
    QueryBuilder
      .select(SelectResult.all())
      .from(DataSource.collection(collection))
      .where(Expression.property("type").equalTo(Expression.string("hotel")))
      .limit(Expression.int(10))
  }

  /// WHERE: an array that contains a value.
  static func containsOperator(_ collection: Concordance.Collection) -> Query {
    QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("name"),
        SelectResult.property("public_likes")
      )
      .from(DataSource.collection(collection))
      .where(
        Expression.property("type").equalTo(Expression.string("hotel"))
          .and(
            ArrayFunction.contains(
              Expression.property("public_likes"),
              value: Expression.string("Armani Langworth")))
      )
  }

  /// WHERE: one of several properties.
  static func inOperator(_ collection: Concordance.Collection) -> Query {
    let values = [
      Expression.property("first"),
      Expression.property("last"),
      Expression.property("username"),
    ]

    return QueryBuilder.select(SelectResult.all())
      .from(DataSource.collection(collection))
      .where(Expression.string("Armani").in(values))
  }

  /// WHERE: LIKE without regard to case.
  static func likeOperator(
    _ collection: Concordance.Collection, pattern: String = "royal engineers museum"
  ) -> Query {
    QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("country"),
        SelectResult.property("name")
      )
      .from(DataSource.collection(collection))
      .where(
        Expression.property("type").equalTo(Expression.string("landmark"))
          .and(
            Function.lower(Expression.property("name"))
              .like(Expression.string(pattern)))
      )
      .limit(Expression.int(10))
  }

  /// WHERE: LIKE with `%`.
  static func wildcardMatch(_ collection: Concordance.Collection) -> Query {
    likeOperator(collection, pattern: "eng%e%")
  }

  /// WHERE: LIKE with `_`.
  static func wildcardCharacterMatch(_ collection: Concordance.Collection) -> Query {
    QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("country"),
        SelectResult.property("name")
      )
      .from(DataSource.collection(collection))
      .where(
        Expression.property("type").equalTo(Expression.string("landmark"))
          .and(Expression.property("name").like(Expression.string("eng____r")))
      )
      .limit(Expression.int(10))
  }

  /// WHERE: a regular expression.
  static func regexOperator(_ collection: Concordance.Collection) -> Query {
    QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("name")
      )
      .from(DataSource.collection(collection))
      .where(
        Expression.property("type").equalTo(Expression.string("landmark"))
          .and(Expression.property("name").regex(Expression.string("\\bEng.*e\\b")))
      )
      .limit(Expression.int(10))
  }

  /// WHERE: deleted documents.
  static func deletedDocuments(_ collection: Concordance.Collection) -> Query {
    // Query documents that have been deleted
    QueryBuilder
      .select(SelectResult.expression(Meta.id))
      .from(DataSource.collection(collection))
      .where(Meta.isDeleted)
  }

  /// JOIN of airlines with their routes.
  static func joinStatement(_ airlines: Concordance.Collection, _ routes: Concordance.Collection) -> Query {
    QueryBuilder
      .select(
        SelectResult.expression(Expression.property("name").from("airline")),
        SelectResult.expression(Expression.property("callsign").from("airline")),
        SelectResult.expression(Expression.property("destinationairport").from("route")),
        SelectResult.expression(Expression.property("stops").from("route")),
        SelectResult.expression(Expression.property("airline").from("route"))
      )
      .from(
        DataSource.collection(airlines).as("airline")
      )
      .join(
        Join.join(DataSource.collection(routes).as("route"))
          .on(
            Meta.id.from("airline")
              .equalTo(Expression.property("airlineid").from("route"))
          )
      )
      .where(
        Expression.property("type").from("route").equalTo(Expression.string("route"))
          .and(
            Expression.property("type").from("airline")
              .equalTo(Expression.string("airline"))
          )
          .and(
            Expression.property("sourceairport").from("route")
              .equalTo(Expression.string("RIX")))
      )
  }

  /// GROUP BY with a count.
  static func groupByStatement(_ collection: Concordance.Collection) -> Query {
    QueryBuilder
      .select(
        SelectResult.expression(Function.count(Expression.all())),
        SelectResult.property("country"),
        SelectResult.property("tz")
      )
      .from(DataSource.collection(collection))
      .where(
        Expression.property("type").equalTo(Expression.string("airport"))
          .and(Expression.property("geo.alt").greaterThanOrEqualTo(Expression.int(300)))
      ).groupBy(
        Expression.property("country"),
        Expression.property("tz")
      )
  }

  /// ORDER BY.
  static func orderByStatement(_ collection: Concordance.Collection) -> Query {
    QueryBuilder
      .select(
        SelectResult.expression(Meta.id),
        SelectResult.property("title")
      )
      .from(DataSource.collection(collection))
      .where(Expression.property("type").equalTo(Expression.string("hotel")))
      .orderBy(Ordering.property("title").ascending())
      .limit(Expression.int(10))
  }

  /// The properties of hotels, for the examples on result sets.
  static func hotelProperties(_ collection: Concordance.Collection) -> Query {
    QueryBuilder
      .select(
        SelectResult.expression(Meta.id).as("metaId"),
        SelectResult.expression(Expression.property("id")),
        SelectResult.expression(Expression.property("name")),
        SelectResult.expression(Expression.property("city")),
        SelectResult.expression(Expression.property("type"))
      )
      .from(DataSource.collection(collection))
  }

  static func prediction(_ collection: Concordance.Collection) -> Query {
    let input = Expression.dictionary(["photo": Expression.property("photo")])
    let prediction = Function.prediction(model: "ImageClassifier", input: input)

    return
      QueryBuilder
      .select(SelectResult.all())
      .from(DataSource.collection(collection))
      .where(
        prediction.property("label").equalTo(Expression.string("car"))
          .and(
            prediction.property("probablity")
              .greaterThanOrEqualTo(Expression.double(0.8))
          )
      )
  }
}
