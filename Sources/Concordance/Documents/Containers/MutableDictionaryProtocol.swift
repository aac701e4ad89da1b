public import Foundation
import JSONText

/// What documents and dictionaries that can be edited have in common.
///
/// Setters never fail. A value that JSON cannot hold makes the save fail, with an error that names the property.
public protocol MutableDictionaryProtocol: DictionaryProtocol, MutableDictionaryFragment {
  /// Sets a property.
  ///
  /// - Parameter value: a string, number, boolean, date (kept as an ISO 8601 string), ``Blob``, array, dictionary,
  ///   ``ArrayObject``, ``DictionaryObject``, `NSNull`, or nil, which sets null. An object that can be edited is not copied:
  ///   later edits of it are seen. A value of any other type cannot be kept; then the save fails.
  @discardableResult
  func setValue(_ value: Any?, forKey key: String) -> Self
  /// Replaces all properties. See ``setValue(_:forKey:)`` for the types.
  @discardableResult
  func setData(_ data: [String: Any]) -> Self
  /// Replaces all properties by those of JSON text, which is kept byte for byte.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON object.
  @discardableResult
  func setJSON(_ json: String) throws -> Self
  /// Removes a property; does nothing when there is none.
  @discardableResult
  func removeValue(forKey key: String) -> Self
  /// The array, or nil. Edits of it are edits of this object.
  func array(forKey key: String) -> MutableArrayObject?
  /// The dictionary, or nil. Edits of it are edits of this object.
  func dictionary(forKey key: String) -> MutableDictionaryObject?
}

extension MutableDictionaryProtocol {
  /// Sets a string, or null.
  @discardableResult
  public func setString(_ value: String?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a number, or null.
  @discardableResult
  public func setNumber(_ value: NSNumber?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets an integer.
  @discardableResult
  public func setInt(_ value: Int, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets an integer.
  @discardableResult
  public func setInt64(_ value: Int64, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a number. Infinities and NaN cannot be kept; then the save fails.
  @discardableResult
  public func setFloat(_ value: Float, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a number. Infinities and NaN cannot be kept; then the save fails.
  @discardableResult
  public func setDouble(_ value: Double, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a boolean.
  @discardableResult
  public func setBoolean(_ value: Bool, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a date as an ISO 8601 string in UTC with milliseconds, or null.
  @discardableResult
  public func setDate(_ value: Date?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a blob, or null. Its content is stored when the document is saved.
  @discardableResult
  public func setBlob(_ value: Blob?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets an array, or null.
  @discardableResult
  public func setArray(_ value: ArrayObject?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a dictionary, or null.
  @discardableResult
  public func setDictionary(_ value: DictionaryObject?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets the properties of JSON text and keeps the others. Values stay as they are written, in the text and here.
  ///
  /// Arrays and dictionaries that were taken out of this object before are no parts of it any more.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON object.
  @discardableResult
  public func mergeJSON(_ json: String) throws -> Self {
    let changes = try SourceText(checking: json, isDictionary: true).bytes
    let merged = JSONObjectText.merging(changes, into: Array(toJSON().utf8))
    return try setJSON(String(decoding: merged, as: UTF8.self))
  }

  /// The property with this key, for reading and writing: `document["address"]["city"].string = "Riga"`.
  public subscript(key: String) -> MutableFragment { MutableFragment(self, key: key) }
}
