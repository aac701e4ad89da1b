public import JSONText

/// A field of a full-text index: what of a document becomes one column of it.
public struct FullTextField: Hashable, Sendable {
  /// Which values of a document belong to the field.
  public enum Content: Hashable, Sendable {
    /// The value at a path, arrays and objects below it flattened. Strings are taken as they are, numbers as their
    /// digits, booleans as `T` and `F`, as in Couchbase Lite.
    case property(PropertyPath)
    /// Every string of the document that belongs to no other field of the index.
    case everyOtherString
  }

  /// The name of a field of every other string.
  public static let everyOtherStringName = "*"

  /// The field's name: what weights, `field:word` and results call it.
  public let name: String
  /// Which values belong to it.
  public let content: Content

  /// The field of a property, named by its path: `title`, `geo.alt`, `reviews[].content`; or, for `*`, the field of
  /// every other string.
  ///
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
