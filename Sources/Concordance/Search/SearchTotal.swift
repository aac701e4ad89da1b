/// How many documents a search matches, as far as it is known.
public enum SearchTotal: Hashable, Sendable, CustomStringConvertible {
  /// So many.
  case exact(Int)
  /// So many, or more.
  case atLeast(Int)

  /// The number, or the least that it can be.
  public var value: Int {
    switch self {
    case .exact(let count), .atLeast(let count): count
    }
  }

  /// `12`, or `12+`.
  public var description: String {
    switch self {
    case .exact(let count): "\(count)"
    case .atLeast(let count): "\(count)+"
    }
  }
}
