public import JSONText

/// A field of a full-text index: the values of a document that are indexed in one column.
public struct FullTextField: Hashable, Sendable {
  /// The values of a document that belong to a field.
  public enum Content: Hashable, Sendable {
    /// The value at a path, with nested arrays and objects flattened. Strings are used unchanged, numbers as decimal
    /// digits, and Booleans as `T` and `F`, as in Couchbase Lite.
    case property(PropertyPath)
    /// Every string of the document that does not belong to another field of the index.
    case everyOtherString
  }

  /// The name of the field that contains all other strings.
  public static let everyOtherStringName = "*"

  /// The field's name, used in weights, in `field:word` and in results.
  public let name: String
  /// The values that belong to it.
  public let content: Content

  /// Creates a field from its name: the path of a property (`title`, `geo.alt`, `reviews[].content`), or `*` for the
  /// field that contains all other strings.
  ///
  /// - Parameter name: the name.
  /// - Throws: `PropertyPathError`.
  public init(_ name: String) throws {
    if name == FullTextField.everyOtherStringName {
      self.name = name
      content = .everyOtherString
    } else {
      let path = try PropertyPath(name)
      self.name = path.description
      content = .property(path)
    }
  }
}
