import JSONText
import QueryModel

/// A value that a random expression can read: a document, an element of an UNNEST, or the variable of a quantifier.
enum RandomSubject {
  /// The likely type of an element.
  enum Element {
    case scalar, item
  }

  /// A document. Without a name it is the only source.
  case document(String?)
  /// An element of an UNNEST.
  case element(String, Element)
  /// A variable of a quantifier.
  case variable(String, Element)
  /// Nothing, as in a query without FROM: all values are constants.
  case nothing

  /// The requested type.
  enum Kind {
    case number, text, list, any
  }

  /// Returns the paths at which a value of a type is likely. The empty path is the element itself.
  func paths(_ kind: Kind) -> [[PropertyPath.Component]] {
    switch self {
    case .document: RandomSubject.documentPaths(kind)
    case .element(_, .scalar), .variable(_, .scalar), .nothing: [[]]
    case .element(_, .item), .variable(_, .item): RandomSubject.itemPaths(kind)
    }
  }

  /// Returns the value at a path.
  func expression(_ path: [PropertyPath.Component]) -> QueryExpression {
    switch self {
    case .document(let source): .property(PropertyPath(path), source: source)
    case .element(let source, _): QueryExpression.everything(source: source).member(at: path)
    case .variable(let name, _): .variable(name, PropertyPath(path))
    case .nothing: .array([.integer(1), .string("a")])
    }
  }

  private static func itemPaths(_ kind: Kind) -> [[PropertyPath.Component]] {
    switch kind {
    case .number: [[.key("q")], [.key("q")], [.key("tags"), .position(0)], []]
    case .text: [[.key("k")], [.key("k")], [.key("tags"), .position(-1)], []]
    case .list: [[.key("tags")]]
    case .any: [[], [.key("k")], [.key("q")], [.key("tags")], [.key("none")]]
    }
  }

  private static func documentPaths(_ kind: Kind) -> [[PropertyPath.Component]] {
    switch kind {
    case .number:
      [
        [.key("n")], [.key("n")], [.key("n")], [.key("m")], [.key("o"), .key("a")], [.key("list"), .position(0)],
        [.key("list"), .position(-1)], [.key("items"), .position(0), .key("q")], [.key("x")],
      ]
    case .text:
      [
        [.key("s")], [.key("s")], [.key("s")], [.key("t")], [.key("o"), .key("b")], [.key("ref")],
        [.key("items"), .position(-1), .key("k")], [.key("list"), .position(1)], [.key("m")],
      ]
    case .list:
      [
        [.key("list")], [.key("list")], [.key("o"), .key("c")], [.key("items"), .position(0), .key("tags")],
        [.key("x")],
        [.key("items")],
      ]
    case .any:
      [
        [.key("n")], [.key("m")], [.key("s")], [.key("t")], [.key("b")], [.key("b")], [.key("x")], [.key("list")],
        [.key("items")], [.key("o")], [.key("odd key")], [.key("o"), .key("odd key")], [.key("none")],
        [.key("x"), .key("k")], [.key("x"), .position(0)], [.key("list"), .position(-2)],
      ]
    }
  }
}
