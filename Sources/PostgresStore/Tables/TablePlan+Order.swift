import SQLiteAccess

/// The order of the rows of a plan.
///
/// SQLite declares no order for rows with equal values, but returns those of a file in the order of the index or table
/// that it reads. PostgreSQL would return them in the order in which they are stored, which changes with every update.
/// Therefore statements name the order of the file, which is also that of an index in PostgreSQL.
extension TablePlan {
  /// A term of an order.
  struct Term: Hashable {
    /// The column; -1 for the number of the row.
    let column: Int
    let isDescending: Bool
  }

  /// Returns the terms that order rows with equal values in the order that a statement wants.
  ///
  /// - Parameters:
  ///   - wanted: the order that the statement wants.
  ///   - unique: the columns that identify a row.
  static func ties(
    _ comparisons: [Comparison], _ wanted: [Term], _ shape: TableShape, unique: Set<Int>
  ) -> [Term] {
    guard !wanted.contains(where: { $0.column < 0 || unique.contains($0.column) }) else { return [] }
    let scan =
      shape.keyColumns.isEmpty
      ? scanOrder(comparisons, wanted, shape, unique) : keyOrder(comparisons, wanted, shape, unique)
    // SQLite reads an index backwards if the rows then have the wanted order.
    let isBackward =
      !wanted.isEmpty && wanted.allSatisfy(\.isDescending) && scan.starts(with: wanted.map(\.column))
    return scan.filter { column in !wanted.contains { $0.column == column } }
      .map { Term(column: $0, isDescending: isBackward) }
  }

  /// Returns the columns in whose order SQLite reads rows that are not those of a value index.
  private static func scanOrder(
    _ comparisons: [Comparison], _ wanted: [Term], _ shape: TableShape, _ unique: Set<Int>
  ) -> [Int] {
    let range = comparisons.first { comparison in
      switch comparison.operator {
      case .equal: comparison.isList && unique.contains(comparison.column)
      case .less, .lessOrEqual, .greater, .greaterOrEqual: unique.contains(comparison.column)
      case .isNull, .isNotNull: false
      }
    }
    if let range { return [range.column] }
    // Statements about other tables than those of documents name the order that they need.
    let isOfDocuments = shape.condition != nil
    return isOfDocuments || wanted.isEmpty && comparisons.allSatisfy { $0.column < 0 } ? [-1] : []
  }

  /// Returns the columns in whose order SQLite reads a value index: the keys that are not compared with one value, and
  /// the document.
  private static func keyOrder(
    _ comparisons: [Comparison], _ wanted: [Term], _ shape: TableShape, _ unique: Set<Int>
  ) -> [Int] {
    let document = 0
    let fixed = Set(
      comparisons.filter { $0.operator == .isNull || $0.operator == .equal && !$0.isList }.map(\.column))
    // Without a comparison of the first key, SQLite reads the table.
    guard let first = shape.keyColumns.first, !fixed.contains(document),
      comparisons.contains(where: { $0.column == first }) || wanted.first?.column == first
    else { return [-1] }
    return shape.keyColumns.filter { !fixed.contains($0) } + [document] + (unique.contains(document) ? [] : [-1])
  }
}

extension TablePlan {
  /// The terms of ORDER BY in PostgreSQL.
  func orderTerms(_ shape: TableShape) -> [String] {
    let wanted = orderings.flatMap { term -> [String] in
      let direction = term.isDescending ? " DESC" : ""
      guard term.column >= 0 else { return [shape.row + direction] }
      let column = shape.columns[term.column]
      guard column.ordered.count == 1 else { return column.ordered.map { $0 + direction } }
      // SQLite sorts NULL first. Without the clause, PostgreSQL sorts it last, and can use an index either way.
      let isNullable = ["source", "expiration"].contains(column.name)
      return [column.name + direction + (isNullable ? (term.isDescending ? " NULLS LAST" : " NULLS FIRST") : "")]
    }
    // The index contains the beginnings of keys, so PostgreSQL need not sort the rows.
    let rest = ties.map { term in
      (term.column < 0 ? shape.row : shape.columns[term.column].compared) + (term.isDescending ? " DESC" : "")
    }
    return wanted + rest
  }

  /// The order in which rows of several nodes are merged; empty if the rows of one node follow those of another.
  func mergeOrder(_ shape: TableShape) -> [MergeTerm] {
    let order = orderings + ties
    // The numbers of rows and of documents are higher than those of the nodes before.
    let isOfRows = order.first.map { $0.column < 0 || $0.column == 0 && !shape.keyColumns.isEmpty } ?? true
    if isOfRows, order.first?.isDescending != true { return [] }
    return order.map { term in
      MergeTerm(
        column: term.column, kind: term.column < 0 ? .integer : shape.columns[term.column].kind,
        isDescending: term.isDescending)
    }
  }
}

extension TableShape {
  /// The columns with the keys of a value index; none for other tables.
  var keyColumns: [Int] {
    columns.indices.filter { if case .sortable = columns[$0].kind { true } else { false } }
  }
}
