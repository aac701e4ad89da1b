import JSONText
import MapReduce

/// A reduce function, which combines the values of the rows of a view into one value.
///
/// ```swift
/// try sales.view(named: "byCity").setMap(version: "1", reduce: .stats) { document, emit in
///   emit([document.string(forKey: "country"), document.string(forKey: "city")], document.int(forKey: "price"))
/// }
/// ```
///
/// The file stores partial results of the built-in reduce functions, so that a query does not read all rows.
public struct ViewReduce: Sendable {
  /// A function that reduces values.
  ///
  /// - Parameters:
  ///   - keys: the keys of the rows; nil if the values are earlier results.
  ///   - values: the values of the rows, or earlier results. `NSNull` represents a row without a value.
  ///   - rereduce: whether the values are earlier results.
  public typealias Function = @Sendable (_ keys: [Any]?, _ values: [Any], _ rereduce: Bool) throws -> Any?

  /// The sum of the values: numbers, arrays of numbers by position, or objects by key.
  public static let sum = ViewReduce(.sum)
  /// The number of rows.
  public static let count = ViewReduce(.count)
  /// An object with `sum`, `count`, `min`, `max` and `sumsqr` of the values: numbers, or arrays of numbers by position.
  public static let stats = ViewReduce(.stats)
  /// The approximate number of distinct keys, with a standard error of 2.3 %.
  public static let approximateCountDistinct = ViewReduce(.approximateCountDistinct)

  /// The name in the file.
  let name: String
  let reducer: any ViewReducer

  private init(_ builtIn: BuiltInReduce) {
    name = builtIn.rawValue
    reducer = builtIn.reducer
  }

  /// Creates a built-in reduce function from its name in CouchDB: `_sum`, `_count`, `_stats` or
  /// `_approx_count_distinct`. Returns nil for another name.
  ///
  /// - Parameter name: the name.
  public init?(named name: String) {
    guard let builtIn = BuiltInReduce(rawValue: name) else { return nil }
    self.init(builtIn)
  }

  /// Creates a reduce function from a closure.
  ///
  /// ```swift
  /// let longest = ViewReduce { _, values, _ in values.compactMap { $0 as? Int }.max() }
  /// ```
  ///
  /// - Parameters:
  ///   - rereduces: whether earlier results can be passed to the function. If not, it receives all rows of a group in
  ///     one call.
  ///   - function: the function. The result is a value that can be stored in documents; nil becomes null.
  public init(rereduces: Bool = true, _ function: @escaping Function) {
    name = ViewConfiguration.reduceFunction
    reducer = FunctionReducer(supportsRereduce: rereduces, function: function)
  }
}

/// A reduce function that the program supplies.
private struct FunctionReducer: ViewReducer {
  let supportsRereduce: Bool
  let function: ViewReduce.Function

  var storesPartials: Bool { false }

  func partial(of rows: [ReducedRow]) throws -> [UInt8] {
    let keys = try rows.map { ViewJSON.swift(try ViewJSON.parsed($0.key)) }
    return try call(keys, try rows.map { try $0.value.map { try ViewJSON.parsed($0) } ?? .null }, false)
  }

  func rereduce(_ partials: [[UInt8]]) throws -> [UInt8] {
    try call(nil, try partials.map { try ViewJSON.parsed($0) }, true)
  }

  private func call(_ keys: [Any]?, _ values: [JSONValue], _ rereduce: Bool) throws -> [UInt8] {
    let result = try function(keys, values.map(ViewJSON.swift), rereduce)
    return Array((try ViewJSON.value(result) ?? .null).text.utf8)
  }
}
