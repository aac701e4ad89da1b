import QueryModel

/// A source that is joined to a query, created by ``Join``.
public protocol JoinProtocol: Sendable {}

/// A join that needs a condition.
public protocol JoinOnProtocol: JoinProtocol {
  /// Returns the join with a condition that pairs of rows must satisfy.
  ///
  /// - Parameter expression: the condition.
  func on(_ expression: any ExpressionProtocol) -> any JoinProtocol
}

/// Joins rows of several sources.
///
/// ```swift
/// Join.leftJoin(DataSource.collection(airlines).as("airline"))
///   .on(Meta.id.from("airline").equalTo(Expression.property("airlineid").from("route")))
/// ```
public enum Join {
  /// Creates an inner join: the pairs of rows that satisfy the condition.
  ///
  /// - Parameter datasource: the source to join.
  public static func join(_ datasource: any DataSourceProtocol) -> any JoinOnProtocol { innerJoin(datasource) }

  /// Creates a left outer join: the pairs of ``join(_:)`` plus each row without a match, with all values of the joined
  /// source missing.
  ///
  /// - Parameter datasource: the source to join.
  public static func leftJoin(_ datasource: any DataSourceProtocol) -> any JoinOnProtocol {
    BuiltJoin(datasource, .left)
  }

  /// Creates a left outer join. The same as ``leftJoin(_:)``.
  ///
  /// - Parameter datasource: the source to join.
  public static func leftOuterJoin(_ datasource: any DataSourceProtocol) -> any JoinOnProtocol { leftJoin(datasource) }

  /// Creates an inner join. The same as ``join(_:)``.
  ///
  /// - Parameter datasource: the source to join.
  public static func innerJoin(_ datasource: any DataSourceProtocol) -> any JoinOnProtocol {
    BuiltJoin(datasource, .inner)
  }

  /// Creates a cross join: all pairs of rows.
  ///
  /// - Parameter datasource: the source to join.
  public static func crossJoin(_ datasource: any DataSourceProtocol) -> any JoinProtocol {
    BuiltJoin(datasource, .cross)
  }
}

private struct BuiltJoin: JoinOnProtocol {
  var source: BuiltSource

  init(_ source: any DataSourceProtocol, _ kind: JoinKind) {
    self.source = BuiltSource(source)
    self.source.source.join = kind
  }

  func on(_ expression: any ExpressionProtocol) -> any JoinProtocol {
    let condition = BuiltExpression(expression)
    var copy = self
    copy.source.source.condition = condition.model
    copy.source.fault = source.fault ?? condition.fault
    return copy
  }
}

extension BuiltSource {
  init(_ join: any JoinProtocol) {
    guard let join = join as? BuiltJoin else {
      self.init(
        QuerySource(.collection(.standard), join: .cross), database: nil,
        fault: BuiltExpression.foreign(join, "Join").fault)
      return
    }
    self = join.source
    if source.join != .cross, source.condition == nil {
      fault =
        fault
        ?? CBLError(CBLError.invalidQuery, "a join needs a condition: .on(…), or Join.crossJoin for all pairs of rows")
    }
  }
}
