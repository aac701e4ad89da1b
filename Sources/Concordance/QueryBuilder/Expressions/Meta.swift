import QueryModel

/// What is known about a document beside its properties.
public protocol MetaExpressionProtocol: ExpressionProtocol {
  /// The same of the source with this name.
  func from(_ alias: String) -> any ExpressionProtocol
}

/// What is known about a document beside its properties.
public enum Meta {
  /// The document's id.
  public static var id: any MetaExpressionProtocol { MetaExpression(.id) }

  /// The id of its revision.
  public static var revisionID: any MetaExpressionProtocol { MetaExpression(.revisionID) }

  /// The number of its last change in the collection.
  public static var sequence: any MetaExpressionProtocol { MetaExpression(.sequence) }

  /// Whether it was deleted. Deleted documents are found only by queries that ask for this.
  public static var isDeleted: any MetaExpressionProtocol { MetaExpression(.deleted) }

  /// When it expires, in milliseconds since 1970; missing where it does not.
  public static var expiration: any MetaExpressionProtocol { MetaExpression(.expiration) }
}

private struct MetaExpression: MetaExpressionProtocol, BuilderExpression {
  let built: BuiltExpression

  init(_ field: MetadataField) { built = BuiltExpression(.metadata(field, source: nil)) }

  func from(_ alias: String) -> any ExpressionProtocol { built.from(alias) }
}
