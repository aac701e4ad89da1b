import QueryModel

/// Metadata of a document: values that are not in its JSON.
public protocol MetaExpressionProtocol: ExpressionProtocol {
  /// Returns the metadata of the source with this name.
  ///
  /// - Parameter alias: the name of the source.
  func from(_ alias: String) -> any ExpressionProtocol
}

/// Metadata of documents: values that are not in their JSON.
public enum Meta {
  /// The id of the document.
  public static var id: any MetaExpressionProtocol { MetaExpression(.id) }

  /// The id of the current revision of the document.
  public static var revisionID: any MetaExpressionProtocol { MetaExpression(.revisionID) }

  /// The sequence number of the document's last change in the collection.
  public static var sequence: any MetaExpressionProtocol { MetaExpression(.sequence) }

  /// Whether the document is deleted. Only queries that contain this expression find deleted documents.
  public static var isDeleted: any MetaExpressionProtocol { MetaExpression(.deleted) }

  /// The expiration time of the document, in milliseconds since 1970; missing if it does not expire.
  public static var expiration: any MetaExpressionProtocol { MetaExpression(.expiration) }
}

private struct MetaExpression: MetaExpressionProtocol, BuilderExpression {
  let built: BuiltExpression

  init(_ field: MetadataField) { built = BuiltExpression(.metadata(field, source: nil)) }

  func from(_ alias: String) -> any ExpressionProtocol { built.from(alias) }
}
