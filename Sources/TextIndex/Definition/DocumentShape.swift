import JSONText

/// The properties that identify documents of one kind, such as the documents that `concord index` creates from files.
///
/// ```swift
/// // {"path":"notes/a.md","text":"…"}
/// let files = DocumentShape(strings: ["text"], members: ["path"])
/// ```
public struct DocumentShape: Codable, Hashable, Sendable {
  /// The names of top-level properties that are strings, in ascending order.
  public let strings: [String]
  /// The names of top-level properties of any type, in ascending order.
  public let members: [String]

  /// Creates a shape. A document matches it if it has all of these properties.
  ///
  /// - Parameters:
  ///   - strings: the names of top-level properties that must be strings.
  ///   - members: the names of top-level properties of any type.
  public init(strings: [String], members: [String] = []) {
    self.strings = Set(strings).sorted()
    self.members = Set(members).subtracting(strings).sorted()
  }

  /// Decodes a shape. A missing member is an empty list.
  ///
  /// - Throws: `DecodingError` if a member is not an array of strings.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      strings: try container.decodeIfPresent([String].self, forKey: .strings) ?? [],
      members: try container.decodeIfPresent([String].self, forKey: .members) ?? [])
  }

  /// Returns whether a document has all properties of the shape.
  func matches(_ root: JSONElement) -> Bool {
    strings.allSatisfy { root[$0]?.kind == .string } && members.allSatisfy { root[$0] != nil }
  }

  /// The shape of documents that are created from files. Definitions of format 1 that exclude them from the field `*`
  /// contain `"skipsFiles": true` instead of a shape.
  static let filesOfFormat1 = DocumentShape(
    strings: ["text"], members: ["path", "modified", "size", "type", "name"])
}

/// The members of a definition's JSON that specify the documents excluded from the field `*`.
enum ExclusionKey: String, CodingKey {
  case excluded
  /// The key in format 1; see ``DocumentShape/filesOfFormat1``.
  case skipsFiles
}

extension Decoder {
  /// Decodes the documents excluded from the field `*`, from a definition of any format.
  ///
  /// - Returns: the shape; nil if no documents are excluded.
  /// - Throws: `DecodingError` if the members are malformed.
  public func decodeExcludedFromOtherStrings() throws -> DocumentShape? {
    let container = try container(keyedBy: ExclusionKey.self)
    if let shape = try container.decodeIfPresent(DocumentShape.self, forKey: .excluded) { return shape }
    return try container.decodeIfPresent(Bool.self, forKey: .skipsFiles) == true ? .filesOfFormat1 : nil
  }
}

extension Encoder {
  /// Encodes the form that ``Swift/Decoder/decodeExcludedFromOtherStrings()`` decodes.
  ///
  /// - Parameter shape: the shape of the excluded documents; nil for none.
  /// - Throws: the errors of the encoder.
  public func encode(excludedFromOtherStrings shape: DocumentShape?) throws {
    var container = container(keyedBy: ExclusionKey.self)
    try container.encodeIfPresent(shape, forKey: .excluded)
  }
}
