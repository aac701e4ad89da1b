/// A restriction of a query to fields: `title:`, `{title body}:`, `-title:` or `-{title body}:`.
public enum FieldFilter: Hashable, Sendable {
  /// Only these fields.
  case include([FieldName])
  /// All fields except these.
  case exclude([FieldName])

  public var names: [FieldName] {
    switch self {
    case .include(let names), .exclude(let names): names
    }
  }

  public var isExcluding: Bool {
    switch self {
    case .include: false
    case .exclude: true
    }
  }
}

/// The name of a field as written in the query. The index checks whether the field exists; the span lets it report the
/// location of an unknown name.
public struct FieldName: Sendable {
  public var name: String
  /// The range of the name in the text, quotation marks included; nil if the name was not parsed.
  public var span: SourceSpan?

  public init(_ name: String, span: SourceSpan? = nil) {
    self.name = name
    self.span = span
  }
}

/// Two names are equal if their texts are equal; spans are ignored.
extension FieldName: Hashable {
  public static func == (one: Self, other: Self) -> Bool { one.name == other.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension FieldName: ExpressibleByStringLiteral {
  public init(stringLiteral name: String) { self.init(name) }
}
