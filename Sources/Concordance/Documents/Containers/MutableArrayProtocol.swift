public import Foundation

/// A type whose elements can be edited by position.
///
/// ```swift
/// phones.addString("+371 2").setString("+371 1", at: 0)
/// ```
///
/// Setters never throw, and return the object itself, so that calls can be chained. Errors are reported when the
/// document is saved, with the path of the element:
///
/// - If JSON cannot represent a value, saving fails until the value is replaced.
/// - If a position is out of bounds, nothing is changed, and saving fails until all elements are set again with
///   ``setData(_:)`` or ``setJSON(_:)``.
public protocol MutableArrayProtocol: ArrayProtocol, MutableArrayFragment {
  /// Replaces an element.
  ///
  /// - Parameters:
  ///   - value: see ``MutableDictionaryProtocol/setValue(_:forKey:)`` for the types.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  func setValue(_ value: Any?, at index: Int) -> Self
  /// Appends an element.
  ///
  /// - Parameter value: see ``MutableDictionaryProtocol/setValue(_:forKey:)`` for the types.
  /// - Returns: the object itself.
  @discardableResult
  func addValue(_ value: Any?) -> Self
  /// Inserts an element.
  ///
  /// - Parameters:
  ///   - value: see ``MutableDictionaryProtocol/setValue(_:forKey:)`` for the types.
  ///   - index: the position before which the element is inserted; ``ArrayProtocol/count`` appends the element.
  /// - Returns: the object itself.
  @discardableResult
  func insertValue(_ value: Any?, at index: Int) -> Self
  /// Removes an element.
  ///
  /// - Parameter index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  func removeValue(at index: Int) -> Self
  /// Replaces all elements.
  ///
  /// - Parameter data: the elements; see ``MutableDictionaryProtocol/setValue(_:forKey:)`` for the types.
  /// - Returns: the object itself.
  @discardableResult
  func setData(_ data: [Any]) -> Self
  /// Replaces all elements with those of a JSON array, whose text is stored byte for byte.
  ///
  /// - Parameter json: a JSON array.
  /// - Returns: the object itself.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON array.
  @discardableResult
  func setJSON(_ json: String) throws -> Self
  /// Returns an element as an array. Edits to the array change this object.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the array, or nil if the value is missing or of another type.
  func array(at index: Int) -> MutableArrayObject?
  /// Returns an element as a dictionary. Edits to the dictionary change this object.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the dictionary, or nil if the value is missing or of another type.
  func dictionary(at index: Int) -> MutableDictionaryObject?
}

extension MutableArrayProtocol {
  /// The element at the given position, for reading and writing: `document["phones"][0].string = "…"`.
  ///
  /// - Parameter index: the position, starting at 0.
  public subscript(index: Int) -> MutableFragment { MutableFragment(self, index: index) }
}

// MARK: - Replacing elements

extension MutableArrayProtocol {
  /// Replaces an element with a string.
  ///
  /// - Parameters:
  ///   - value: the string; nil sets null.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func setString(_ value: String?, at index: Int) -> Self { setValue(value, at: index) }

  /// Replaces an element with a number or a boolean.
  ///
  /// - Parameters:
  ///   - value: the number; nil sets null.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func setNumber(_ value: NSNumber?, at index: Int) -> Self { setValue(value, at: index) }

  /// Replaces an element with an integer.
  ///
  /// - Parameters:
  ///   - value: the integer.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func setInt(_ value: Int, at index: Int) -> Self { setValue(value, at: index) }

  /// Replaces an element with an integer.
  ///
  /// - Parameters:
  ///   - value: the integer.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func setInt64(_ value: Int64, at index: Int) -> Self { setValue(value, at: index) }

  /// Replaces an element with a floating-point number.
  ///
  /// - Parameters:
  ///   - value: the number. Infinity and NaN make the save fail, because JSON cannot represent them.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func setFloat(_ value: Float, at index: Int) -> Self { setValue(value, at: index) }

  /// Replaces an element with a floating-point number.
  ///
  /// - Parameters:
  ///   - value: the number. Infinity and NaN make the save fail, because JSON cannot represent them.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func setDouble(_ value: Double, at index: Int) -> Self { setValue(value, at: index) }

  /// Replaces an element with a boolean.
  ///
  /// - Parameters:
  ///   - value: the boolean.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func setBoolean(_ value: Bool, at index: Int) -> Self { setValue(value, at: index) }

  /// Replaces an element with a date, as an ISO 8601 string in UTC with milliseconds.
  ///
  /// - Parameters:
  ///   - value: the date; nil sets null.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func setDate(_ value: Date?, at index: Int) -> Self { setValue(value, at: index) }

  /// Replaces an element with a blob.
  ///
  /// - Parameters:
  ///   - value: the blob, whose content is stored when the document is saved; nil sets null.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func setBlob(_ value: Blob?, at index: Int) -> Self { setValue(value, at: index) }

  /// Replaces an element with an array.
  ///
  /// - Parameters:
  ///   - value: the array, copied unless it is a ``MutableArrayObject``; nil sets null.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func setArray(_ value: ArrayObject?, at index: Int) -> Self { setValue(value, at: index) }

  /// Replaces an element with a dictionary.
  ///
  /// - Parameters:
  ///   - value: the dictionary, copied unless it is a ``MutableDictionaryObject``; nil sets null.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func setDictionary(_ value: DictionaryObject?, at index: Int) -> Self { setValue(value, at: index) }
}

// MARK: - Adding elements

extension MutableArrayProtocol {
  /// Appends a string.
  ///
  /// - Parameter value: the string; nil appends null.
  /// - Returns: the object itself.
  @discardableResult
  public func addString(_ value: String?) -> Self { addValue(value) }

  /// Appends a number or a boolean.
  ///
  /// - Parameter value: the number; nil appends null.
  /// - Returns: the object itself.
  @discardableResult
  public func addNumber(_ value: NSNumber?) -> Self { addValue(value) }

  /// Appends an integer.
  ///
  /// - Parameter value: the integer.
  /// - Returns: the object itself.
  @discardableResult
  public func addInt(_ value: Int) -> Self { addValue(value) }

  /// Appends an integer.
  ///
  /// - Parameter value: the integer.
  /// - Returns: the object itself.
  @discardableResult
  public func addInt64(_ value: Int64) -> Self { addValue(value) }

  /// Appends a floating-point number.
  ///
  /// - Parameter value: the number. Infinity and NaN make the save fail, because JSON cannot represent them.
  /// - Returns: the object itself.
  @discardableResult
  public func addFloat(_ value: Float) -> Self { addValue(value) }

  /// Appends a floating-point number.
  ///
  /// - Parameter value: the number. Infinity and NaN make the save fail, because JSON cannot represent them.
  /// - Returns: the object itself.
  @discardableResult
  public func addDouble(_ value: Double) -> Self { addValue(value) }

  /// Appends a boolean.
  ///
  /// - Parameter value: the boolean.
  /// - Returns: the object itself.
  @discardableResult
  public func addBoolean(_ value: Bool) -> Self { addValue(value) }

  /// Appends a date, as an ISO 8601 string in UTC with milliseconds.
  ///
  /// - Parameter value: the date; nil appends null.
  /// - Returns: the object itself.
  @discardableResult
  public func addDate(_ value: Date?) -> Self { addValue(value) }

  /// Appends a blob.
  ///
  /// - Parameter value: the blob, whose content is stored when the document is saved; nil appends null.
  /// - Returns: the object itself.
  @discardableResult
  public func addBlob(_ value: Blob?) -> Self { addValue(value) }

  /// Appends an array.
  ///
  /// - Parameter value: the array, copied unless it is a ``MutableArrayObject``; nil appends null.
  /// - Returns: the object itself.
  @discardableResult
  public func addArray(_ value: ArrayObject?) -> Self { addValue(value) }

  /// Appends a dictionary.
  ///
  /// - Parameter value: the dictionary, copied unless it is a ``MutableDictionaryObject``; nil appends null.
  /// - Returns: the object itself.
  @discardableResult
  public func addDictionary(_ value: DictionaryObject?) -> Self { addValue(value) }
}

// MARK: - Inserting elements

extension MutableArrayProtocol {
  /// Inserts a string.
  ///
  /// - Parameters:
  ///   - value: the string; nil inserts null.
  ///   - index: the position before which the element is inserted.
  /// - Returns: the object itself.
  @discardableResult
  public func insertString(_ value: String?, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a number or a boolean.
  ///
  /// - Parameters:
  ///   - value: the number; nil inserts null.
  ///   - index: the position before which the element is inserted.
  /// - Returns: the object itself.
  @discardableResult
  public func insertNumber(_ value: NSNumber?, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts an integer.
  ///
  /// - Parameters:
  ///   - value: the integer.
  ///   - index: the position before which the element is inserted.
  /// - Returns: the object itself.
  @discardableResult
  public func insertInt(_ value: Int, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts an integer.
  ///
  /// - Parameters:
  ///   - value: the integer.
  ///   - index: the position before which the element is inserted.
  /// - Returns: the object itself.
  @discardableResult
  public func insertInt64(_ value: Int64, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a floating-point number.
  ///
  /// - Parameters:
  ///   - value: the number. Infinity and NaN make the save fail, because JSON cannot represent them.
  ///   - index: the position before which the element is inserted.
  /// - Returns: the object itself.
  @discardableResult
  public func insertFloat(_ value: Float, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a floating-point number.
  ///
  /// - Parameters:
  ///   - value: the number. Infinity and NaN make the save fail, because JSON cannot represent them.
  ///   - index: the position before which the element is inserted.
  /// - Returns: the object itself.
  @discardableResult
  public func insertDouble(_ value: Double, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a boolean.
  ///
  /// - Parameters:
  ///   - value: the boolean.
  ///   - index: the position before which the element is inserted.
  /// - Returns: the object itself.
  @discardableResult
  public func insertBoolean(_ value: Bool, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a date, as an ISO 8601 string in UTC with milliseconds.
  ///
  /// - Parameters:
  ///   - value: the date; nil inserts null.
  ///   - index: the position before which the element is inserted.
  /// - Returns: the object itself.
  @discardableResult
  public func insertDate(_ value: Date?, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a blob.
  ///
  /// - Parameters:
  ///   - value: the blob, whose content is stored when the document is saved; nil inserts null.
  ///   - index: the position before which the element is inserted.
  /// - Returns: the object itself.
  @discardableResult
  public func insertBlob(_ value: Blob?, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts an array.
  ///
  /// - Parameters:
  ///   - value: the array, copied unless it is a ``MutableArrayObject``; nil inserts null.
  ///   - index: the position before which the element is inserted.
  /// - Returns: the object itself.
  @discardableResult
  public func insertArray(_ value: ArrayObject?, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a dictionary.
  ///
  /// - Parameters:
  ///   - value: the dictionary, copied unless it is a ``MutableDictionaryObject``; nil inserts null.
  ///   - index: the position before which the element is inserted.
  /// - Returns: the object itself.
  @discardableResult
  public func insertDictionary(_ value: DictionaryObject?, at index: Int) -> Self { insertValue(value, at: index) }
}
