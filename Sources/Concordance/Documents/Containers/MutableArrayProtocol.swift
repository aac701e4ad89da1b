public import Foundation

/// What arrays that can be edited have in common.
///
/// Setters never fail. A value that JSON cannot hold makes the save fail until it is replaced; a position that is not in the
/// array changes nothing and makes the save fail until all elements are set anew, since one of them is lost. The error says
/// what and where.
public protocol MutableArrayProtocol: ArrayProtocol, MutableArrayFragment {
  /// Replaces the element at a position. See ``MutableDictionaryProtocol/setValue(_:forKey:)`` for the types.
  @discardableResult
  func setValue(_ value: Any?, at index: Int) -> Self
  /// Adds an element behind the last.
  @discardableResult
  func addValue(_ value: Any?) -> Self
  /// Inserts an element before a position; at ``ArrayProtocol/count`` behind the last.
  @discardableResult
  func insertValue(_ value: Any?, at index: Int) -> Self
  /// Removes the element at a position.
  @discardableResult
  func removeValue(at index: Int) -> Self
  /// Replaces all elements.
  @discardableResult
  func setData(_ data: [Any]) -> Self
  /// Replaces all elements by those of JSON text, which is kept byte for byte.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON array.
  @discardableResult
  func setJSON(_ json: String) throws -> Self
  /// The array, or nil. Edits of it are edits of this object.
  func array(at index: Int) -> MutableArrayObject?
  /// The dictionary, or nil. Edits of it are edits of this object.
  func dictionary(at index: Int) -> MutableDictionaryObject?
}

extension MutableArrayProtocol {
  /// The element at this position, for reading and writing: `document["phones"][0].string = "…"`.
  public subscript(index: Int) -> MutableFragment { MutableFragment(self, index: index) }
}

// MARK: - Replacing elements

extension MutableArrayProtocol {
  /// Sets a string, or null.
  @discardableResult
  public func setString(_ value: String?, at index: Int) -> Self { setValue(value, at: index) }

  /// Sets a number, or null.
  @discardableResult
  public func setNumber(_ value: NSNumber?, at index: Int) -> Self { setValue(value, at: index) }

  /// Sets an integer.
  @discardableResult
  public func setInt(_ value: Int, at index: Int) -> Self { setValue(value, at: index) }

  /// Sets an integer.
  @discardableResult
  public func setInt64(_ value: Int64, at index: Int) -> Self { setValue(value, at: index) }

  /// Sets a number. Infinities and NaN cannot be kept; then the save fails.
  @discardableResult
  public func setFloat(_ value: Float, at index: Int) -> Self { setValue(value, at: index) }

  /// Sets a number. Infinities and NaN cannot be kept; then the save fails.
  @discardableResult
  public func setDouble(_ value: Double, at index: Int) -> Self { setValue(value, at: index) }

  /// Sets a boolean.
  @discardableResult
  public func setBoolean(_ value: Bool, at index: Int) -> Self { setValue(value, at: index) }

  /// Sets a date as an ISO 8601 string in UTC with milliseconds, or null.
  @discardableResult
  public func setDate(_ value: Date?, at index: Int) -> Self { setValue(value, at: index) }

  /// Sets a blob, or null.
  @discardableResult
  public func setBlob(_ value: Blob?, at index: Int) -> Self { setValue(value, at: index) }

  /// Sets an array, or null.
  @discardableResult
  public func setArray(_ value: ArrayObject?, at index: Int) -> Self { setValue(value, at: index) }

  /// Sets a dictionary, or null.
  @discardableResult
  public func setDictionary(_ value: DictionaryObject?, at index: Int) -> Self { setValue(value, at: index) }
}

// MARK: - Adding elements

extension MutableArrayProtocol {
  /// Adds a string, or null.
  @discardableResult
  public func addString(_ value: String?) -> Self { addValue(value) }

  /// Adds a number, or null.
  @discardableResult
  public func addNumber(_ value: NSNumber?) -> Self { addValue(value) }

  /// Adds an integer.
  @discardableResult
  public func addInt(_ value: Int) -> Self { addValue(value) }

  /// Adds an integer.
  @discardableResult
  public func addInt64(_ value: Int64) -> Self { addValue(value) }

  /// Adds a number. Infinities and NaN cannot be kept; then the save fails.
  @discardableResult
  public func addFloat(_ value: Float) -> Self { addValue(value) }

  /// Adds a number. Infinities and NaN cannot be kept; then the save fails.
  @discardableResult
  public func addDouble(_ value: Double) -> Self { addValue(value) }

  /// Adds a boolean.
  @discardableResult
  public func addBoolean(_ value: Bool) -> Self { addValue(value) }

  /// Adds a date as an ISO 8601 string in UTC with milliseconds, or null.
  @discardableResult
  public func addDate(_ value: Date?) -> Self { addValue(value) }

  /// Adds a blob, or null.
  @discardableResult
  public func addBlob(_ value: Blob?) -> Self { addValue(value) }

  /// Adds an array, or null.
  @discardableResult
  public func addArray(_ value: ArrayObject?) -> Self { addValue(value) }

  /// Adds a dictionary, or null.
  @discardableResult
  public func addDictionary(_ value: DictionaryObject?) -> Self { addValue(value) }
}

// MARK: - Inserting elements

extension MutableArrayProtocol {
  /// Inserts a string, or null.
  @discardableResult
  public func insertString(_ value: String?, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a number, or null.
  @discardableResult
  public func insertNumber(_ value: NSNumber?, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts an integer.
  @discardableResult
  public func insertInt(_ value: Int, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts an integer.
  @discardableResult
  public func insertInt64(_ value: Int64, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a number. Infinities and NaN cannot be kept; then the save fails.
  @discardableResult
  public func insertFloat(_ value: Float, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a number. Infinities and NaN cannot be kept; then the save fails.
  @discardableResult
  public func insertDouble(_ value: Double, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a boolean.
  @discardableResult
  public func insertBoolean(_ value: Bool, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a date as an ISO 8601 string in UTC with milliseconds, or null.
  @discardableResult
  public func insertDate(_ value: Date?, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a blob, or null.
  @discardableResult
  public func insertBlob(_ value: Blob?, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts an array, or null.
  @discardableResult
  public func insertArray(_ value: ArrayObject?, at index: Int) -> Self { insertValue(value, at: index) }

  /// Inserts a dictionary, or null.
  @discardableResult
  public func insertDictionary(_ value: DictionaryObject?, at index: Int) -> Self { insertValue(value, at: index) }
}
