public import JSONText

/// The names by which expressions of a query refer to its sources.
///
/// The name of a source is its alias; without one, the name of its collection, or, for an unnest, the last key of its
/// path. Two collections with the same name in different scopes are named `scope.name`.
public struct SourceNames: Hashable, Sendable {
  /// A name for each source, in the order of the sources.
  public let all: [String]
  /// The scope and name of each source that is named by its collection; nil for the others.
  private let paths: [CollectionPath?]

  /// Creates the names of the given sources.
  public init(of sources: [QuerySource]) {
    let short = sources.map(SourceNames.shortName)
    paths = sources.map(SourceNames.collectionName)
    all = zip(short, paths).map { name, path in
      guard let scope = path?.scope, short.count(where: { $0 == name }) > 1 else { return name }
      return scope + "." + name
    }
  }

  /// The first name that two sources share, and the position of the second source.
  public var duplicate: (name: String, position: Int)? {
    var seen: Set<String> = []
    for (position, name) in all.enumerated() where !seen.insert(name).inserted { return (name, position) }
    return nil
  }

  /// Returns the source that a path begins with and the number of its keys that name the source: one, or two for
  /// `scope.name`. Returns nil if the path does not begin with a source.
  public func match(_ components: [PropertyPath.Component]) -> (name: String, length: Int)? {
    guard case .key(let first)? = components.first else { return nil }
    if all.contains(first) { return (first, 1) }
    guard components.count > 1, case .key(let second) = components[1] else { return nil }
    for (name, path) in zip(all, paths) where path?.scope == first && path?.name == second {
      return (name, 2)
    }
    return nil
  }

  /// Returns the keys that name a source in the text of a query: scope and name if the name alone is ambiguous.
  public func keys(of name: String) -> [String] {
    guard let position = all.firstIndex(of: name), let path = paths[position], let scope = path.scope,
      name != path.name
    else { return [name] }
    return [scope, path.name]
  }

  private static func collectionName(_ source: QuerySource) -> CollectionPath? {
    guard source.alias == nil, case .collection(let path) = source.content else { return nil }
    return path
  }

  private static func shortName(_ source: QuerySource) -> String {
    if let alias = source.alias { return alias }
    switch source.content {
    case .collection(let path): return path.name
    case .unnest(let array): return array.lastKey ?? ""
    }
  }
}

extension QueryExpression {
  /// The last key of a path, which names a column or an unnest without an alias; nil if the path ends with a position
  /// or the expression is not a path.
  public var lastKey: String? {
    let path: PropertyPath
    switch self {
    case .property(let steps, _), .variable(_, let steps), .member(_, let steps): path = steps
    default: return nil
    }
    guard case .key(let key)? = path.components.last else { return nil }
    return key
  }
}

extension SelectQuery {
  /// The names of the sources.
  public var sourceNames: SourceNames { SourceNames(of: sources) }

  /// Returns the query with the source separated from the path in every property whose path begins with the name of a
  /// source.
  ///
  /// `.property(hotel.name, source: nil)` becomes `.property(name, source: "hotel")` if `hotel` is a source. The
  /// parsers do this themselves. This method must be called once for a query that is built by other means, because
  /// Couchbase Lite accepts `property("hotel.name")` with the same meaning.
  public func resolvingSources() -> SelectQuery {
    let names = sourceNames
    return mapExpressions { expression in
      guard case .property(let path, nil) = expression, let source = names.match(path.components) else {
        return expression
      }
      let rest = Array(path.components.dropFirst(source.length))
      return .everything(source: source.name).member(at: rest)
    }
  }
}
