/// The fields that a query may match in: `title:`, `{title body}:`, `-title:` or `-{title body}:`.
public enum FieldFilter: Hashable, Sendable {
  /// Only these fields.
  case include([FieldName])
  /// All fields but these.
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

/// The name of a field as it was written. Whether the field exists is for the index to say; the span is there
/// so that it can point at a name that it does not know.
public struct FieldName: Sendable {
  public var name: String
  /// Where the name stood in the text, quotation marks included; nil when it was not parsed.
  public var span: SourceSpan?

  public init(_ name: String, span: SourceSpan? = nil) {
    self.name = name
    self.span = span
  }
}

/// Two names are equal when they are the same text, wherever they stood.
extension FieldName: Hashable {
  public static func == (one: Self, other: Self) -> Bool { one.name == other.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension FieldName: ExpressibleByStringLiteral {
  public init(stringLiteral name: String) { self.init(name) }
}
