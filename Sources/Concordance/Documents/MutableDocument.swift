import DocumentStore
public import Foundation
import JSONText

/// A document that can be changed and saved.
///
/// ```swift
/// let hotel = MutableDocument(id: "hotel_1")
///   .setString("Hotel Ghia", forKey: "name")
///   .setInt(4, forKey: "stars")
/// try hotels.save(document: hotel)
/// ```
///
/// Changes stay in memory until ``Collection/save(document:)``.
public final class MutableDocument: Document {
  /// Values of types that JSON cannot hold, by key: they make the save fail.
  private var unusable: [String: String] = [:]

  /// An empty document with a new id, a UUID.
  public convenience init() { self.init(id: nil) }

  /// An empty document.
  ///
  /// - Parameter id: its id, or nil for a UUID. It is checked when the document is saved.
  public convenience init(id: String?) {
    self.init(id: id ?? UUID().uuidString.lowercased(), properties: DocumentProperties())
  }

  /// A document with properties and a new id.
  public convenience init(data: [String: Any]) { self.init(id: nil, data: data) }

  /// A document with properties. See ``setValue(_:forKey:)`` for the types.
  public convenience init(id: String?, data: [String: Any]) {
    self.init(id: id)
    setData(data)
  }

  /// A document of JSON text, with a new id.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON object.
  public convenience init(json: String) throws { try self.init(id: nil, json: json) }

  /// A document of JSON text.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON object.
  public convenience init(id: String?, json: String) throws {
    self.init(id: id ?? UUID().uuidString.lowercased(), body: try MutableDocument.checked(Array(json.utf8)))
  }

  override init(id: String, body: DocumentBody) { super.init(id: id, body: body) }

  override init(id: String, properties: DocumentProperties) { super.init(id: id, properties: properties) }

  /// Sets a property: a string, number, boolean, date (kept as an ISO 8601 string), null, array or dictionary.
  ///
  /// A value of another type cannot be kept; then ``Collection/save(document:)`` fails and names the property.
  @discardableResult
  public func setValue(_ value: Any?, forKey key: String) -> Self {
    if let value = JSONValue(swiftValue: value) {
      set(value, key)
    } else {
      unusable[key] = value.map { "\(type(of: $0))" } ?? "nil"
    }
    return self
  }

  /// Sets a string, or null.
  @discardableResult
  public func setString(_ value: String?, forKey key: String) -> Self { set(value.map { .string($0) } ?? .null, key) }

  /// Sets a number, or null.
  @discardableResult
  public func setNumber(_ value: NSNumber?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets an integer.
  @discardableResult
  public func setInt(_ value: Int, forKey key: String) -> Self { set(.int64(Int64(value)), key) }

  /// Sets an integer.
  @discardableResult
  public func setInt64(_ value: Int64, forKey key: String) -> Self { set(.int64(value), key) }

  /// Sets a number. Infinities and NaN cannot be kept; then the save fails.
  @discardableResult
  public func setFloat(_ value: Float, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a number. Infinities and NaN cannot be kept; then the save fails.
  @discardableResult
  public func setDouble(_ value: Double, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a boolean.
  @discardableResult
  public func setBoolean(_ value: Bool, forKey key: String) -> Self { set(.boolean(value), key) }

  /// Sets a date as an ISO 8601 string in UTC with milliseconds, or null.
  @discardableResult
  public func setDate(_ value: Date?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Replaces all properties.
  @discardableResult
  public func setData(_ data: [String: Any]) -> Self {
    unusable = [:]
    properties = DocumentProperties()
    for (key, value) in data.sorted(by: { $0.key < $1.key }) { setValue(value, forKey: key) }
    return self
  }

  /// Replaces all properties by those of JSON text.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON object.
  @discardableResult
  public func setJSON(_ json: String) throws -> Self {
    let body = try MutableDocument.checked(Array(json.utf8))
    unusable = [:]
    properties = try withPublicErrors { try DocumentProperties(json: body.bytes) }
    self.body = body
    return self
  }

  /// Removes a property; does nothing when there is none.
  @discardableResult
  public func removeValue(forKey key: String) -> Self {
    properties[key] = nil
    unusable[key] = nil
    return self
  }

  /// The text to save.
  func checkedBody() throws -> DocumentBody {
    if let damage { throw damage }
    if let (key, type) = unusable.min(by: { $0.key < $1.key }) {
      throw CBLError(
        CBLError.invalidParameter,
        "the document \"\(id)\": the property \"\(key)\" has a value that JSON cannot hold (\(type)); use a string, "
          + "a finite number, a boolean, a date, null, an array or a dictionary")
    }
    return try body ?? MutableDocument.checked(properties.json)
  }

  private static func checked(_ text: [UInt8]) throws -> DocumentBody {
    try withPublicErrors { try JSONParser.withShared { try DocumentBody(checking: text, parser: $0) } }
  }

  @discardableResult
  private func set(_ value: JSONValue, _ key: String) -> Self {
    unusable[key] = nil
    properties[key] = value
    return self
  }
}
