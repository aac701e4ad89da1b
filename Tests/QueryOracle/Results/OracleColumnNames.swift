import QueryModel

extension SelectQuery {
  /// The names of the columns.
  ///
  /// A column's name is its alias, the last key of a path, the name of a metadata field, or the name of the source for
  /// `*`. Any other column is named `$1`, `$2` and so on. If two columns have the same name, the second is `name #2`.
  var columnNames: [String] {
    var unnamed = 0
    var counts: [String: Int] = [:]
    return columns.map { column in
      if let alias = column.alias { return alias }
      let implicitName = implicitName(of: column.expression)
      if implicitName == nil { unnamed += 1 }
      let name = implicitName ?? "$\(unnamed)"
      counts[name, default: 0] += 1
      let count = counts[name] ?? 1
      return count == 1 ? name : "\(name) #\(count)"
    }
  }

  private func implicitName(of expression: QueryExpression) -> String? {
    switch expression {
    case .property, .variable, .member: expression.lastKey
    case .metadata(let field?, _): field.rawValue
    case .everything(let source): source ?? sourceNames.all.first
    default: nil
    }
  }
}
