import JSONText
import QueryModel

extension RandomQueryCase {
  /// Returns a smaller case that fails in the same way: without the documents, properties, clauses and parts of
  /// expressions that the failure does not need.
  ///
  /// ```swift
  /// let small = test.shrunk { (try? $0.mismatch(with: rows(of: $0))) ?? nil != nil }
  /// ```
  ///
  /// - Parameter fails: runs the other engine for a case and returns whether its result is still wrong.
  /// - Complexity: Calls `fails` some hundred times.
  public func shrunk(while fails: (RandomQueryCase) throws -> Bool) rethrows -> RandomQueryCase {
    var smallest = self
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for step in [RandomQueryCase.withoutDocuments, RandomQueryCase.withSimplerQuery, RandomQueryCase.withoutMembers] {
        var candidates = step(smallest)[...]
        while let candidate = candidates.popFirst() {
          guard candidate.hasAnswer, try fails(candidate) else { continue }
          smallest = candidate
          isSmaller = true
          candidates = step(smallest)[...]
        }
      }
    }
    return smallest
  }

  // MARK: Documents

  private static func withoutDocuments(_ test: RandomQueryCase) -> [RandomQueryCase] {
    test.documents.keys.sorted().flatMap { name -> [RandomQueryCase] in
      let documents = test.documents[name] ?? []
      return documents.indices.map { index in
        var copy = test
        var rest = documents
        rest.remove(at: index)
        // Renumbered as if they had been saved in a new collection.
        copy.documents[name] = rest.enumerated().map { $1.numbered(Int64($0 + 1)) }
        return copy
      }
    }
  }

  private static func withoutMembers(_ test: RandomQueryCase) -> [RandomQueryCase] {
    test.documents.keys.sorted().flatMap { name -> [RandomQueryCase] in
      (test.documents[name] ?? []).enumerated().flatMap { position, document -> [RandomQueryCase] in
        guard case .object(let members) = document.value else { return [] }
        return members.indices.compactMap { index in
          var rest = members
          rest.remove(at: index)
          let text = OracleValue.object(rest).description
          var copy = test
          guard let smaller = try? OracleDocument(id: document.id, text: text, sequence: document.sequence) else {
            return nil
          }
          copy.documents[name]?[position] = smaller
          return copy
        }
      }
    }
  }

  // MARK: Query

  private static func withSimplerQuery(_ test: RandomQueryCase) -> [RandomQueryCase] {
    test.query.simpler.map { query in
      var copy = test
      copy.query = query
      return copy
    }
  }
}

extension SelectQuery {
  /// Queries with one element removed, the largest elements first. Some of them are invalid.
  fileprivate var simpler: [SelectQuery] {
    var all: [SelectQuery] = []
    func add(_ change: (inout SelectQuery) -> Void) {
      var copy = self
      change(&copy)
      if copy != self { all.append(copy) }
    }
    add { $0.filter = nil }
    add { $0.groupFilter = nil }
    add { $0.ordering = [] }
    add { $0.limit = nil }
    add { $0.offset = nil }
    add { $0.isDistinct = false }
    if sources.count > 1 { add { $0.sources.removeLast() } }
    for index in columns.indices where columns.count > 1 { add { $0.columns.remove(at: index) } }
    for index in ordering.indices { add { $0.ordering.remove(at: index) } }
    for index in grouping.indices { add { $0.grouping.remove(at: index) } }
    for index in columns.indices {
      for expression in columns[index].expression.simpler { add { $0.columns[index].expression = expression } }
    }
    for expression in filter?.simpler ?? [] { add { $0.filter = expression } }
    for expression in groupFilter?.simpler ?? [] { add { $0.groupFilter = expression } }
    for index in ordering.indices {
      for expression in ordering[index].expression.simpler { add { $0.ordering[index].expression = expression } }
    }
    for index in sources.indices {
      for expression in sources[index].condition?.simpler ?? [] { add { $0.sources[index].condition = expression } }
    }
    return all
  }
}

extension QueryExpression {
  /// Expressions with one operator removed: the whole is replaced by a part, here or deeper inside.
  fileprivate var simpler: [QueryExpression] {
    if case .function(let function, _, _) = self, function.isAggregate { return [] }
    let children = children
    return children
      + children.indices.flatMap { index in
        children[index].simpler.map { replacement in
          var position = -1
          return mapChildren { child in
            position += 1
            return position == index ? replacement : child
          }
        }
      }
  }
}
