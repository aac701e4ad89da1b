import JSONText

/// A dictionary that can be edited. It is part of a document, or is created to be added to one.
///
/// ```swift
/// let address = MutableDictionaryObject().setString("Riga", forKey: "city")
/// hotel.setDictionary(address, forKey: "address")
/// address.setString("LV-1050", forKey: "zip")   // also changes the hotel
/// ```
///
/// A dictionary can be part of several documents at the same time. Saving a document saves the current state of the
/// dictionary.
///
/// `@unchecked Sendable`: its state is that of ``DictionaryObject``, under the same lock.
public final class MutableDictionaryObject: DictionaryObject, MutableDictionaryProtocol, @unchecked Sendable {
  /// Creates an empty dictionary.
  public convenience init() {
    self.init(ContainerState(.emptyObject, isDictionary: true, isMutable: true))
  }

  /// Creates a dictionary with properties.
  ///
  /// - Parameter data: the properties; see ``setValue(_:forKey:)`` for the types.
  public convenience init(data: [String: Any]) {
    self.init()
    setData(data)
  }

  /// Creates a dictionary from JSON text.
  ///
  /// - Parameter json: a JSON object.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON object.
  public convenience init(json: String) throws {
    self.init()
    try setJSON(json)
  }

  override init(_ state: ContainerState) { super.init(state) }

  /// Returns the value of a property as an array. Edits to the array change this object.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the array, or nil if the value is missing or of another type.
  public override func array(forKey key: String) -> MutableArrayObject? { value(forKey: key) as? MutableArrayObject }

  /// Returns the value of a property as a dictionary. Edits to the dictionary change this object.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the dictionary, or nil if the value is missing or of another type.
  public override func dictionary(forKey key: String) -> MutableDictionaryObject? {
    value(forKey: key) as? MutableDictionaryObject
  }

  /// Sets a property. See ``MutableDictionaryProtocol/setValue(_:forKey:)``.
  ///
  /// - Parameters:
  ///   - value: the value; nil sets null.
  ///   - key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func setValue(_ value: Any?, forKey key: String) -> Self {
    let value = acceptable(PropertyValue(value))
    _ = withState { $0.set(value, forKey: key) }
    return self
  }

  /// Replaces all properties.
  ///
  /// - Parameter data: the properties; see ``setValue(_:forKey:)`` for the types.
  /// - Returns: the object itself.
  @discardableResult
  public func setData(_ data: [String: Any]) -> Self {
    // Sorted, so that equal dictionaries produce the same text.
    let members = data.sorted { $0.key < $1.key }
    let values = members.map { acceptable(PropertyValue($0.value)) }
    _ = withState { $0.replaceAll(keys: members.map(\.key), items: values) }
    return self
  }

  /// Replaces all properties with those of a JSON object, whose text is stored byte for byte.
  ///
  /// - Parameter json: a JSON object.
  /// - Returns: the object itself.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON object.
  @discardableResult
  public func setJSON(_ json: String) throws -> Self {
    let source = try JSONSourceText(checking: json, isDictionary: true)
    _ = withState { $0.replaceAll(by: source) }
    return self
  }

  /// Removes a property. Does nothing if the property does not exist.
  ///
  /// - Parameter key: the key of the property.
  /// - Returns: the object itself.
  @discardableResult
  public func removeValue(forKey key: String) -> Self {
    _ = withState { $0.removeItem(forKey: key) }
    return self
  }
}
