import PostgresAccess
import SQLiteAccess

/// The part of a statement's conditions and order that PostgreSQL evaluates. SQLite checks the conditions again.
struct TablePlan: Hashable {
  struct Comparison: Hashable {
    /// The column; -1 for the number of the row.
    let column: Int
    let `operator`: RowTablePlan.Comparison.Operator
    let isList: Bool
  }

  var comparisons: [Comparison] = []
  /// The order that the statement wants.
  var orderings: [Term] = []
  /// The order of rows with equal values in ``orderings``.
  var ties: [Term] = []
  /// The columns that the statement reads, as bits.
  var usedColumns: UInt64 = 0

  /// The comparison with one value, or with a list, of a column that identifies a row; nil for none.
  func lookup(_ column: Int) -> Int? {
    comparisons.firstIndex { $0.column == column && $0.operator == .equal }
  }

  /// Whether only rows with a value in a column satisfy the conditions.
  func requiresValue(of column: Int) -> Bool {
    comparisons.contains { $0.column == column && $0.operator != .isNull }
  }

  /// Chooses a plan.
  ///
  /// - Parameters:
  ///   - unique: the columns that identify a row.
  ///   - indexed: the columns that begin an index.
  ///   - rowCount: the estimated number of rows.
  ///   - isMerged: whether rows of several nodes are merged.
  init(
    _ plan: RowTablePlan, _ shape: TableShape, unique: Set<Int>, indexed: Set<Int>, rowCount: Double, isMerged: Bool
  ) {
    var rows = rowCount
    var argument: Int32 = 0
    for comparison in plan.comparisons {
      let column = Int(comparison.column)
      guard column < 0 || shape.columns[column].kind != .any else { continue }
      argument += 1
      plan.use(comparison, argument: argument)
      comparisons.append(Comparison(column: column, operator: comparison.operator, isList: comparison.isList))
      switch comparison.operator {
      case .equal where column < 0 || unique.contains(column): rows = min(rows, comparison.isList ? 25 : 1)
      case .equal where indexed.contains(column): rows = min(rows, max(2, rowCount / 1000))
      case .equal: rows *= 0.5
      // Most rows have no expiration. With a lower estimate, SQLite would read the rows in two parts.
      case .isNull, .isNotNull: break
      default: rows *= column < 0 || indexed.contains(column) || unique.contains(column) ? 0.25 : 0.9
      }
    }
    let isSingle = rows <= 1
    if isSingle { plan.setUnique() }
    let wanted = plan.orderings.map { Term(column: Int($0.column), isDescending: $0.isDescending) }
    let canOrder = wanted.allSatisfy { $0.column < 0 || shape.columns[$0.column].kind != .any }
    if !wanted.isEmpty, isSingle || canOrder {
      orderings = isSingle ? [] : wanted
      plan.setOrdered()
    }
    if !isSingle { ties = TablePlan.ties(comparisons, orderings, shape, unique: unique) }
    usedColumns = shape.columns.indices.reduce(0) { plan.reads(Int32($1)) ? $0 | 1 << UInt64($1) : $0 }
    // Rows of several nodes are merged in the order.
    for term in isMerged ? orderings + ties : [] where term.column >= 0 { usedColumns |= 1 << UInt64(term.column) }
    // A statement takes as long as a hundred rows.
    plan.setEstimate(cost: 100 + rows, rows: Int64(max(1, rows)))
  }

  /// Returns the statement for the values, without the parameter of the ``ShardFilter``; nil if no row can satisfy the
  /// conditions.
  ///
  /// - Throws: `DatabaseError` if a list of values cannot be read.
  func statement(
    _ shape: TableShape, _ arguments: SQLArguments
  ) throws -> (text: String, parameters: [PostgresValue], columns: [Int])? {
    var conditions = shape.condition.map { [$0] } ?? []
    var parameters: [PostgresValue] = []
    for (comparison, argument) in zip(comparisons, arguments) {
      let name = comparison.column < 0 ? shape.row : shape.columns[comparison.column].compared
      let kind = comparison.column < 0 ? ColumnKind.integer : shape.columns[comparison.column].kind
      if case .sortable = kind {
        // The beginnings of two keys may be equal although the keys are not.
        let value = RemoteValue(argument)
        switch comparison.operator {
        case .isNull, .isNotNull: parameters.append(.bytes(SortableValue.null))
        case .equal where comparison.isList: parameters.append(try TablePlan.list(argument, kind))
        default:
          guard value != .null, let parameter = kind.parameter(value) else { return nil }
          parameters.append(parameter)
        }
        let isList = comparison.operator == .equal && comparison.isList
        conditions.append(
          "\(name) \(comparison.operator.inclusiveSymbol) \(isList ? "ANY" : "")($\(parameters.count))")
        continue
      }
      switch comparison.operator {
      case .isNull: conditions.append("\(name) IS NULL")
      case .isNotNull: conditions.append("\(name) IS NOT NULL")
      case .equal where comparison.isList:
        parameters.append(try TablePlan.list(argument, kind))
        conditions.append("\(name) = ANY($\(parameters.count))")
      default:
        let value = RemoteValue(argument)
        guard value != .null else { return nil }
        guard let parameter = kind.parameter(value) else {
          // No row has a text with U+0000. Without the condition, a plan for a single row would return others.
          if kind == .text, case .text = value, comparison.operator == .equal { return nil }
          continue
        }
        parameters.append(parameter)
        conditions.append("\(name) \(comparison.operator.symbol) $\(parameters.count)")
      }
    }
    if shape.isOnCitus { conditions.append("shard = $\(parameters.count + 1)") }
    let columns = shape.columns.indices.filter { usedColumns & 1 << UInt64($0) != 0 }
    let selected = ([shape.row] + columns.map { shape.columns[$0].selected }).joined(separator: ", ")
    var text = "SELECT \(selected) FROM \(shape.remote)"
    if !conditions.isEmpty { text += " WHERE \(conditions.joined(separator: " AND "))" }
    let terms = orderTerms(shape)
    if !terms.isEmpty { text += " ORDER BY \(terms.joined(separator: ", "))" }
    return (text, parameters, columns)
  }

  /// The statement for `EXPLAIN QUERY PLAN`, with `?` for values.
  func description(_ shape: TableShape) -> String {
    let columns = shape.columns.indices.filter { usedColumns & 1 << UInt64($0) != 0 }.map { shape.columns[$0].name }
    func name(_ column: Int) -> String { column < 0 ? shape.row : shape.columns[column].name }
    let conditions = comparisons.map { comparison in
      let name = name(comparison.column)
      return switch comparison.operator {
      case .isNull: "\(name) IS NULL"
      case .isNotNull: "\(name) IS NOT NULL"
      case .equal where comparison.isList: "\(name) = ANY (?)"
      default: "\(name) \(comparison.operator.symbol) ?"
      }
    }
    let all = (shape.condition.map { [$0] } ?? []) + conditions
    let order = orderings.map { name($0.column) + ($0.isDescending ? " DESC" : "") }
    return "SELECT \((columns.isEmpty ? [shape.row] : columns).joined(separator: ", ")) FROM \(shape.remote)"
      + (all.isEmpty ? "" : " WHERE \(all.joined(separator: " AND "))")
      + (order.isEmpty ? "" : " ORDER BY \(order.joined(separator: ", "))")
  }

  private static func list(_ argument: SQLArgument, _ kind: ColumnKind) throws -> PostgresValue {
    var values: [PostgresValue] = []
    try argument.forEachElement { element in
      let value = RemoteValue(element)
      if value != .null, let parameter = kind.parameter(value) { values.append(parameter) }
    }
    switch kind {
    case .integer: return .int64s(values.compactMap { if case .int64(let number) = $0 { number } else { nil } })
    case .text: return .texts(values.compactMap { if case .text(let text) = $0 { text } else { nil } })
    case .bytes, .any, .sortable:
      return .byteArrays(values.compactMap { if case .bytes(let bytes) = $0 { bytes } else { nil } })
    }
  }
}

extension RowTablePlan.Comparison.Operator {
  /// The operator for beginnings of keys: every key that satisfies the comparison has a beginning that satisfies this
  /// one.
  var inclusiveSymbol: String {
    switch self {
    case .equal, .isNull: "="
    case .less, .lessOrEqual: "<="
    case .greater, .greaterOrEqual: ">="
    case .isNotNull: ">"
    }
  }

  var symbol: String {
    switch self {
    case .equal, .isNull, .isNotNull: "="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}
