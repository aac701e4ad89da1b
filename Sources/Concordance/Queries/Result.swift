import Foundation
import JSONText
import QueryCompiler
import QueryModel

/// A row of a ``ResultSet``: values by column position and by column name.
///
/// ```swift
/// row.string(forKey: "name")
/// row.int(at: 1)
/// row["address"]["city"].string
/// ```
///
/// The name of a column is its alias. Without an alias, it is the last key of a property (`alt` for `geo.alt`), the
/// name of a metadata value (`id`), or the name of the source for a whole document; other columns are `$1`, `$2`, and
/// so on.
///
/// A getter never fails: it returns nil, 0 or false if the value is missing or of another type.
///
/// `@unchecked Sendable`: only `containers` changes, under a lock, a `StripedLock`.
public final class Result: ArrayProtocol, DictionaryProtocol, Sequence, @unchecked Sendable {
  private let columns: ResultColumns
  let values: [ColumnValue]
  let query: Query
  /// Arrays and dictionaries, created on first access.
  private var containers: [Int: PropertyValue] = [:]

  init(_ columns: ResultColumns, _ values: [ColumnValue], _ query: Query) {
    self.columns = columns
    self.values = values
    self.query = query
  }

  /// The number of columns.
  public var count: Int { columns.names.count }

  /// The names of the columns whose value is not MISSING, in the order of the columns. Includes columns with null.
  public var keys: [String] { columns.names.enumerated().filter { values[$0.offset] != .missing }.map(\.element) }

  // MARK: By position

  /// Returns the value in a column by its position.
  ///
  /// - Parameter index: the position of the column, starting at 0.
  /// - Returns: `String`, `NSNumber`, `Bool`, ``Blob``, ``ArrayObject`` or ``DictionaryObject``; nil if the value is
  ///   MISSING or null, which ``contains(key:)`` distinguishes. A number can be cast to every numeric type that
  ///   represents it exactly.
  public func value(at index: Int) -> Any? {
    guard values.indices.contains(index), values[index] != .null else { return nil }
    return propertyValue(at: index)?.castableValue
  }

  /// Returns the array in a column; nil if it is missing or of another type.
  ///
  /// - Parameter index: the position of the column, starting at 0.
  public func array(at index: Int) -> ArrayObject? { value(at: index) as? ArrayObject }

  /// Returns the dictionary in a column; nil if it is missing or of another type.
  ///
  /// - Parameter index: the position of the column, starting at 0.
  public func dictionary(at index: Int) -> DictionaryObject? { value(at: index) as? DictionaryObject }

  /// Returns the values of all columns as Swift values, with `NSNull` for MISSING and null.
  public func toArray() -> [Any] { values.indices.map { plainValue(at: $0) ?? NSNull() } }

  // MARK: By name

  /// Returns the value in a column by its name. See ``value(at:)``.
  ///
  /// - Parameter key: the name of the column.
  public func value(forKey key: String) -> Any? { columns.position(of: key).flatMap { value(at: $0) } }

  /// Returns the array in a column; nil if it is missing or of another type.
  ///
  /// - Parameter key: the name of the column.
  public func array(forKey key: String) -> ArrayObject? { value(forKey: key) as? ArrayObject }

  /// Returns the dictionary in a column; nil if it is missing or of another type.
  ///
  /// - Parameter key: the name of the column.
  public func dictionary(forKey key: String) -> DictionaryObject? { value(forKey: key) as? DictionaryObject }

  /// Returns whether a column exists and its value is not MISSING. True for null.
  ///
  /// - Parameter key: the name of the column.
  public func contains(key: String) -> Bool { columns.position(of: key).map { values[$0] != .missing } ?? false }

  /// Returns the values as Swift values by column name, with `NSNull` for null. MISSING values are omitted.
  public func toDictionary() -> [String: Any] {
    var dictionary: [String: Any] = [:]
    for (position, name) in columns.names.enumerated() {
      if let value = plainValue(at: position) { dictionary[name] = value }
    }
    return dictionary
  }

  /// Returns an iterator over ``keys``.
  public func makeIterator() -> IndexingIterator<[String]> { keys.makeIterator() }

  /// Returns the row as a JSON object. MISSING values are omitted.
  public func toJSON() -> String {
    var writer = JSONWriter()
    writer.object { writer in
      for (name, value) in zip(columns.names, values) where value != .missing {
        writer.member(name) { value.write(to: &$0) }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  // MARK: As a type

  /// Decodes the row: each property of the type is read from the column with its name.
  ///
  /// ```swift
  /// struct Hotel: Decodable { var name: String; var stars: Int? }
  /// let hotel = try row.data(as: Hotel.self)
  /// ```
  ///
  /// A ``DocumentID`` is set from the column with the name of its property, otherwise from the column `id`, otherwise
  /// from the only column that is `META().id`. The same applies with `dataKey`: the id is read from a column of the
  /// row, not from the value.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - dataKey: the column that contains the whole value, such as the column of `SELECT *`; nil if each property is a
  ///     column.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/decodingError`` with the path of the value that cannot be decoded.
  ///   - ``CBLError/invalidQuery`` if there is no column `dataKey`, or if the type has a ``DocumentID`` and the row has
  ///     no id.
  public func data<T: Decodable>(as type: T.Type, dataKey: String? = nil) throws -> T {
    guard let dataKey else { return try decode(self, type) }
    guard let position = columns.position(of: dataKey) else {
      throw CBLError(
        CBLError.invalidQuery,
        "the result has no column \"\(dataKey)\"; it has \(columns.names.map { "\"\($0)\"" }.joined(separator: ", "))")
    }
    return try decode(swiftValue(at: position), type)
  }

  private func decode<T: Decodable>(_ value: Any?, _ type: T.Type) throws -> T {
    do {
      let object = try PropertyDecoder(value) { try self.documentID(for: $0, type) }.decode(type)
      // Sets the ids of properties that the coding keys of the type omit.
      for (name, id) in DocumentID.properties(of: object) where id.wrappedValue == nil {
        id.wrappedValue = try documentID(for: name, type).wrappedValue
      }
      return object
    } catch {
      let failure = CodingFailure.decoding(error, "a row of the result as \(type)")
      guard value is Result, let column = dictionaryColumn(for: error) else { throw failure }
      let hint = "the column \"\(column)\" is a dictionary: data(as:dataKey: \"\(column)\") reads the type from it"
      throw CBLError(CBLError.decodingError, "\(CBLError.message(of: failure)); \(hint)")
    }
  }

  /// Returns the name of the column that the caller of ``data(as:dataKey:)`` may have meant: the only column, if it is
  /// a dictionary, or the first dictionary that has the property that the row does not have.
  private func dictionaryColumn(for error: any Error) -> String? {
    guard let error = error as? DecodingError else { return nil }
    if columns.names.count == 1, value(at: 0) is DictionaryObject { return columns.names[0] }
    guard case .keyNotFound(let key, let context) = error, context.codingPath.count == 1 else { return nil }
    let position = columns.names.indices.first { position in
      (value(at: position) as? DictionaryObject)?.contains(key: key.stringValue) == true
    }
    return position.map { columns.names[$0] }
  }

  /// Returns the id of the document that the row comes from.
  ///
  /// - Parameter name: the name of the ``DocumentID`` property; nil if it is unknown.
  private func documentID<T>(for name: String?, _ type: T.Type) throws -> DocumentID {
    let named = [name, "id"].compactMap { $0 }.lazy.compactMap { self.position(of: $0) }
    if let id = named.compactMap({ self.string(at: $0) }).first { return DocumentID(wrappedValue: id) }
    let metadata = query.model.columns.indices.filter { query.model.columns[$0].isDocumentID }
    if metadata.count == 1, let id = string(at: metadata[0]) { return DocumentID(wrappedValue: id) }
    throw CBLError(
      CBLError.invalidQuery,
      "the row has no id for the @DocumentID of \(type): the query needs a column META().id"
        + (metadata.count > 1 ? " with the name \"\(name ?? "id")\", because it has several" : ""))
  }

  // MARK: Containers

  /// The value in a column; nil if it is missing or there is no such column.
  func propertyValue(at index: Int) -> PropertyValue? {
    guard values.indices.contains(index) else { return nil }
    return switch values[index] {
    case .missing: nil
    case .null: .scalar(.null)
    case .boolean(let boolean): .scalar(.boolean(boolean))
    case .integer(let number): .scalar(.int64(number))
    case .double(let number): .scalar(.double(number))
    case .string(let string): .scalar(.string(string))
    case .container(let text): container(text, at: index)
    }
  }

  /// Returns the position of a column by its name; nil if no column has the name.
  func position(of key: String) -> Int? { columns.position(of: key) }

  private func container(_ text: [UInt8], at index: Int) -> PropertyValue {
    StripedLock.of(self).withLock {
      if let known = containers[index] { return known }
      let value = PropertyValue(container: text, in: query.database)
      containers[index] = value
      return value
    }
  }

  /// The value converted to Swift standard types, including nested values.
  private func plainValue(at index: Int) -> Any? {
    guard let value = propertyValue(at: index) else { return nil }
    return value.container.map { $0.plainValue() } ?? value.castableValue
  }
}

extension Result: CustomStringConvertible {
  /// The JSON text.
  public var description: String { toJSON() }
}

extension ResultColumn {
  /// Whether the column is the id of a document.
  fileprivate var isDocumentID: Bool {
    if case .metadata(.id, _) = expression { true } else { false }
  }
}

extension ColumnValue {
  func write(to writer: inout JSONWriter) {
    switch self {
    case .missing, .null: writer.writeNull()
    case .boolean(let boolean): writer.write(.boolean(boolean))
    case .integer(let number): writer.write(.int64(number))
    case .double(let number): writer.write(.double(number))
    case .string(let string): writer.write(.string(string))
    case .container(let text): writer.write(rawJSON: text)
    }
  }
}
