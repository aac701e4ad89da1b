import JSONText
import QueryModel

/// FROM.
extension RandomQueries {
  private static let paths = [CollectionPath.standard, CollectionPath("docs"), CollectionPath("item", scope: "shop")]

  mutating func singleSource() {
    let path = expressions.choices.one(of: RandomQueries.paths)
    sources = [QuerySource(.collection(path), alias: expressions.choices.chance(3) ? "d" : nil)]
    // With or without the source's name before the properties.
    expressions.subjects = [.document(nil), .document(nil), .document(SourceNames(of: sources).all[0])]
  }

  /// Creates two or three collections, and perhaps elements of an array of one of them.
  mutating func joinSources() {
    firstSource()
    for position in 0..<(expressions.choices.chance(4) ? 2 : 1) {
      let path = expressions.choices.one(of: RandomQueries.paths)
      var source = QuerySource(
        .collection(path), alias: ["e", "the other"][position],
        join: expressions.choices.one(of: [.inner, .inner, .left, .left, .cross]))
      expressions.subjects.append(.document(source.alias))
      if source.join != .cross { source.condition = joinCondition(source.alias) }
      sources.append(source)
    }
    if expressions.choices.chance(6), !expressions.isPlain { unnest() }
  }

  /// Creates a collection and the elements of one or two arrays.
  mutating func unnestSources() {
    firstSource()
    unnest()
    if expressions.choices.chance(3) { unnest() }
  }

  private mutating func firstSource() {
    let path = expressions.choices.one(of: RandomQueries.paths)
    sources = [QuerySource(.collection(path), alias: expressions.choices.chance(4) ? nil : "d")]
    expressions.subjects = [.document(SourceNames(of: sources).all[0])]
  }

  private mutating func unnest() {
    let isOfItems = expressions.choices.chance(2)
    let subject = expressions.choices.one(of: expressions.subjects)
    var array = subject.expression(expressions.choices.one(of: subject.paths(.list)))
    if isOfItems, case .document(let source) = subject {
      array = .property(PropertyPath([.key("items")]), source: source)
    }
    let names = SourceNames(of: sources).all
    var source = QuerySource(.unnest(array), join: expressions.choices.chance(3) ? .left : .inner)
    // Without an alias, the last key is the name, if there is one and it is not used yet.
    let name = array.lastKey
    if name == nil || names.contains(name ?? "") || !expressions.choices.chance(3) {
      source.alias = names.contains("u") ? "u\(names.count)" : "u"
    }
    sources.append(source)
    expressions.subjects.append(.element(source.alias ?? name ?? "", isOfItems ? .item : .scalar))
  }

  /// Returns a condition, mostly an equality of a value of the new source and one of the preceding sources.
  private mutating func joinCondition(_ name: String?) -> QueryExpression {
    let (new, old) = (RandomSubject.document(name), expressions.choices.one(of: expressions.subjects.dropLast()))
    func pair(_ key: String) -> QueryExpression {
      .comparison(.equal, old.expression([.key(key)]), new.expression([.key(key)]))
    }
    switch expressions.choices.number(0..<10) {
    case 0, 1, 2: return .comparison(.equal, old.expression([.key("ref")]), .metadata(.id, source: name))
    case 3: return pair("n")
    case 4: return expressions.choices.chance(2) ? pair("s") : .collated(pair("s"), .asciiIgnoringCase)
    case 5: return pair("b").and(expressions.condition(1))
    case 6, 7:
      let kind = expressions.choices.one(of: [RandomSubject.Kind.number, .text, .any])
      let list = [expressions.choices.one(of: old.paths(kind)), expressions.choices.one(of: old.paths(kind))]
      let value = new.expression(expressions.choices.one(of: new.paths(kind)))
      let membership = QueryExpression.in(value, .array(list.map { old.expression($0) }))
      return expressions.choices.chance(2) ? membership : membership.and(expressions.condition(1))
    default:
      let kind = expressions.choices.one(of: [RandomSubject.Kind.number, .text, .any])
      let symbol = expressions.choices.one(of: ComparisonOperator.allCases)
      let path = expressions.choices.one(of: new.paths(kind))
      return .comparison(symbol, expressions.expression(kind, 1), new.expression(path))
    }
  }
}
