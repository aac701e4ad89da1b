public import Foundation
import JSONText
import Synchronization

/// The values of a query's parameters.
///
/// ```swift
/// let query = QueryBuilder.select(SelectResult.property("name"))
///   .from(DataSource.collection(hotels))
///   .where(Expression.property("type").equalTo(Expression.parameter("type")))
/// query.parameters = Parameters().setString("hotel", forName: "type")
/// ```
///
/// The setters return the object itself and never throw. If a query cannot use a value, running the query throws
/// ``CBLError/invalidQueryParam``. The object can be used from any thread.
public final class Parameters: Sendable {
  private struct State {
    /// The values by name. Names are compared by their bytes, as in a query.
    var values: [ExactString: PropertyValue] = [:]
    var forms: [ExactString: ReadForm] = [:]
    var fault: CBLError?
  }

  /// The form in which a getter returns a value, if it differs from the form in a document.
  private enum ReadForm {
    case date(Date)
    /// A Swift array or dictionary.
    case plain
    /// Nil.
    case nothing

    init?(_ value: Any?) {
      switch value {
      case nil: self = .nothing
      case let date as Date: self = .date(date)
      case is [Any], is [String: Any]: self = .plain
      default: return nil
      }
    }
  }

  private let state: Mutex<State>
  /// Whether calling a setter is an error: ``Query/parameters`` returns a read-only object.
  let isReadOnly: Bool

  /// Creates an object without values.
  public convenience init() { self.init(parameters: nil) }

  /// Creates a copy. Setting a value of the copy does not change the original.
  ///
  /// - Parameter parameters: the values to copy; nil for none.
  public convenience init(parameters: Parameters?) { self.init(parameters, isReadOnly: false) }

  init(_ parameters: Parameters?, isReadOnly: Bool) {
    // The copy can be changed even if the original is read-only, so the original's error is not copied.
    let copy = parameters?.state.withLock { State(values: $0.values, forms: $0.forms) }
    state = Mutex(copy ?? State())
    self.isReadOnly = isReadOnly
  }

  /// Returns the value of a parameter, as it was set.
  ///
  /// - Parameter name: the name of the parameter, without `$`.
  /// - Returns: `String`, `NSNumber`, `Bool`, `Date`, `NSNull`, ``Blob``, ``ArrayObject``, ``DictionaryObject``,
  ///   `[Any]` or `[String: Any]`; nil if it was set to nil or was not set. A number can be cast to every numeric type
  ///   that represents it exactly.
  public func value(forName name: String) -> Any? {
    let (value, form) = state.withLock { ($0.values[name], $0.forms[name]) }
    return switch form {
    case .date(let date): date
    case .plain: value?.container?.plainValue()
    case .nothing: nil
    case nil: value?.castableValue
    }
  }

  /// Sets a value of any type that a document can contain.
  ///
  /// - Parameters:
  ///   - value: the value; nil for null.
  ///   - name: the name of the parameter, without `$`.
  /// - Returns: the object itself.
  @discardableResult
  public func setValue(_ value: Any?, forName name: String) -> Parameters {
    let form = ReadForm(value)
    let value = PropertyValue(value)
    // The old value is released outside the lock, because it may hold the last reference to a database.
    _ = state.withLock { state -> PropertyValue? in
      guard !isReadOnly else {
        state.fault =
          state.fault
          ?? CBLError(
            CBLError.invalidQueryParam,
            "the parameter \"\(name)\" was set on the parameters of a query, which cannot be changed; "
              + "set query.parameters to a copy, Parameters(parameters: query.parameters)")
        return nil
      }
      state.forms[name] = form
      return state.values.updateValue(value, forKey: ExactString(name))
    }
    return self
  }
}

// MARK: Values of one type

extension Parameters {
  /// Sets the value of a parameter to a string.
  ///
  /// - Parameters:
  ///   - value: the string; nil for null.
  ///   - name: the name of the parameter, without `$`.
  /// - Returns: the object itself.
  @discardableResult
  public func setString(_ value: String?, forName name: String) -> Parameters { setValue(value, forName: name) }

  /// Sets the value of a parameter to a number or a boolean.
  ///
  /// - Parameters:
  ///   - value: the number; nil for null.
  ///   - name: the name of the parameter, without `$`.
  /// - Returns: the object itself.
  @discardableResult
  public func setNumber(_ value: NSNumber?, forName name: String) -> Parameters { setValue(value, forName: name) }

  /// Sets the value of a parameter to an integer.
  ///
  /// - Parameters:
  ///   - value: the integer.
  ///   - name: the name of the parameter, without `$`.
  /// - Returns: the object itself.
  @discardableResult
  public func setInt(_ value: Int, forName name: String) -> Parameters { setValue(value, forName: name) }

  /// Sets the value of a parameter to an integer.
  ///
  /// - Parameters:
  ///   - value: the integer.
  ///   - name: the name of the parameter, without `$`.
  /// - Returns: the object itself.
  @discardableResult
  public func setInt64(_ value: Int64, forName name: String) -> Parameters { setValue(value, forName: name) }

  /// Sets the value of a parameter to a floating-point number.
  ///
  /// - Parameters:
  ///   - value: the number.
  ///   - name: the name of the parameter, without `$`.
  /// - Returns: the object itself.
  @discardableResult
  public func setFloat(_ value: Float, forName name: String) -> Parameters { setValue(value, forName: name) }

  /// Sets the value of a parameter to a floating-point number.
  ///
  /// - Parameters:
  ///   - value: the number.
  ///   - name: the name of the parameter, without `$`.
  /// - Returns: the object itself.
  @discardableResult
  public func setDouble(_ value: Double, forName name: String) -> Parameters { setValue(value, forName: name) }

  /// Sets the value of a parameter to a boolean.
  ///
  /// - Parameters:
  ///   - value: the boolean.
  ///   - name: the name of the parameter, without `$`.
  /// - Returns: the object itself.
  @discardableResult
  public func setBoolean(_ value: Bool, forName name: String) -> Parameters { setValue(value, forName: name) }

  /// Sets the value of a parameter to a date, as an ISO 8601 string with milliseconds.
  ///
  /// - Parameters:
  ///   - value: the date; nil for null.
  ///   - name: the name of the parameter, without `$`.
  /// - Returns: the object itself.
  @discardableResult
  public func setDate(_ value: Date?, forName name: String) -> Parameters { setValue(value, forName: name) }

  /// Sets the value of a parameter to a blob, as its metadata.
  ///
  /// - Parameters:
  ///   - value: the blob; nil for null.
  ///   - name: the name of the parameter, without `$`.
  /// - Returns: the object itself.
  @discardableResult
  public func setBlob(_ value: Blob?, forName name: String) -> Parameters { setValue(value, forName: name) }

  /// Sets the value of a parameter to an array.
  ///
  /// - Parameters:
  ///   - value: the array; nil for null. The next run of the query sees later edits to a ``MutableArrayObject``.
  ///   - name: the name of the parameter, without `$`.
  /// - Returns: the object itself.
  @discardableResult
  public func setArray(_ value: ArrayObject?, forName name: String) -> Parameters { setValue(value, forName: name) }

  /// Sets the value of a parameter to a dictionary.
  ///
  /// - Parameters:
  ///   - value: the dictionary; nil for null. The next run of the query sees later edits to a
  ///     ``MutableDictionaryObject``.
  ///   - name: the name of the parameter, without `$`.
  /// - Returns: the object itself.
  @discardableResult
  public func setDictionary(_ value: DictionaryObject?, forName name: String) -> Parameters {
    setValue(value, forName: name)
  }
}

// MARK: For queries

extension Parameters {
  /// The error of a setter that was called on read-only parameters.
  var fault: CBLError? { state.withLock { $0.fault } }

  /// The names of the values.
  var names: [String] { state.withLock { $0.values.keys.map(\.text) } }

  /// Calls `body` with each blob that was not read from the database.
  func forEachNewBlob(for database: Database, _ body: (Blob) -> Void) {
    for value in state.withLock({ Array($0.values.values) }) {
      if case .blob(let blob, nil) = value { body(blob) }
      value.container?.forEachNewBlob(for: database, body)
    }
  }

  /// The values as JSON.
  ///
  /// - Throws: ``CBLError/invalidQueryParam`` for the first invalid value by name, and the error in ``fault``.
  func jsonValues() throws -> [ExactString: JSONValue] {
    let (values, fault) = state.withLock { ($0.values, $0.fault) }
    if let fault { throw fault }
    var result: [ExactString: JSONValue] = [:]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      do {
        result[name] = try value.jsonValue()
      } catch {
        throw CBLError(CBLError.invalidQueryParam, "the parameter \"\(name.text)\" cannot be \(error.message)")
      }
    }
    return result
  }
}
