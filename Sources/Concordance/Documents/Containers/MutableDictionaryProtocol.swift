public import Foundation
import JSONText

/// A type whose properties can be edited by key: documents, and dictionaries in documents.
///
/// ```swift
/// hotel.setString("Hotel Ghia", forKey: "name").setInt(4, forKey: "stars")
/// ```
///
/// Setters never throw, and return the object itself, so that calls can be chained. If JSON cannot represent a value,
/// saving the document throws ``CBLError/invalidParameter`` with the path of the property.
public protocol MutableDictionaryProtocol: DictionaryProtocol, MutableDictionaryFragment {
  /// Sets a property.
  ///
  /// - Parameters:
  ///   - value: a string, number, boolean, date (stored as an ISO 8601 string), ``Blob``, array, dictionary,
  ///     ``ArrayObject``, ``DictionaryObject``, `NSNull`, or nil, which sets null. A ``MutableArrayObject`` or
  ///     ``MutableDictionaryObject`` is not copied: later edits to it change this property. A value of any other type
  ///     makes saving the document fail.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  func setValue(_ value: Any?, forKey key: String) -> Self
  /// Replaces all properties.
  ///
  /// - Parameter data: the properties; see ``setValue(_:forKey:)`` for the types.
  /// - Returns: the object itself.
  @discardableResult
  func setData(_ data: [String: Any]) -> Self
  /// Replaces all properties with those of a JSON object, whose text is stored byte for byte.
  ///
  /// - Parameter json: a JSON object.
  /// - Returns: the object itself.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON object.
  @discardableResult
  func setJSON(_ json: String) throws -> Self
  /// Removes a property. Does nothing if the property does not exist.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  func removeValue(forKey key: String) -> Self
  /// Returns the value of a property as an array. Edits to the array change this object.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the array, or nil if the property is missing or of another type.
  func array(forKey key: String) -> MutableArrayObject?
  /// Returns the value of a property as a dictionary. Edits to the dictionary change this object.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the dictionary, or nil if the property is missing or of another type.
  func dictionary(forKey key: String) -> MutableDictionaryObject?
}

extension MutableDictionaryProtocol {
  /// Sets a property to a string.
  ///
  /// - Parameters:
  ///   - value: the string; nil sets null.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func setString(_ value: String?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a property to a number or a boolean.
  ///
  /// - Parameters:
  ///   - value: the number; nil sets null.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func setNumber(_ value: NSNumber?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a property to an integer.
  ///
  /// - Parameters:
  ///   - value: the integer.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func setInt(_ value: Int, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a property to an integer.
  ///
  /// - Parameters:
  ///   - value: the integer.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func setInt64(_ value: Int64, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a property to a floating-point number.
  ///
  /// - Parameters:
  ///   - value: the number. Infinity and NaN make the save fail, because JSON cannot represent them.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func setFloat(_ value: Float, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a property to a floating-point number.
  ///
  /// - Parameters:
  ///   - value: the number. Infinity and NaN make the save fail, because JSON cannot represent them.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func setDouble(_ value: Double, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a property to a boolean.
  ///
  /// - Parameters:
  ///   - value: the boolean.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func setBoolean(_ value: Bool, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a property to a date, as an ISO 8601 string in UTC with milliseconds.
  ///
  /// - Parameters:
  ///   - value: the date; nil sets null.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func setDate(_ value: Date?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a property to a blob.
  ///
  /// - Parameters:
  ///   - value: the blob, whose content is stored when the document is saved; nil sets null.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func setBlob(_ value: Blob?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a property to an array.
  ///
  /// - Parameters:
  ///   - value: the array, copied unless it is a ``MutableArrayObject``; nil sets null.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func setArray(_ value: ArrayObject?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets a property to a dictionary.
  ///
  /// - Parameters:
  ///   - value: the dictionary, copied unless it is a ``MutableDictionaryObject``; nil sets null.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func setDictionary(_ value: DictionaryObject?, forKey key: String) -> Self { setValue(value, forKey: key) }

  /// Sets the properties that a JSON text contains, and keeps all others. The values are stored byte for byte.
  ///
  /// ```swift
  /// try hotel.mergeJSON(#"{"stars":5,"closed":null}"#)
  /// ```
  ///
  /// Array and dictionary objects that were obtained from this object before the call are no longer part of it.
  ///
  /// - Parameter json: a JSON object.
  /// - Returns: the object itself.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON object.
  @discardableResult
  public func mergeJSON(_ json: String) throws -> Self {
    let changes = try JSONSourceText(checking: json, isDictionary: true).bytes
    let merged = JSONObjectText.merging(changes, into: Array(toJSON().utf8))
    return try setJSON(String(decoding: merged, as: UTF8.self))
  }

  /// The property with the given key, for reading and writing: `document["address"]["city"].string = "Riga"`.
  ///
  /// - Parameter key: the key of the property.
  public subscript(key: String) -> MutableFragment { MutableFragment(self, key: key) }
}
