import JSONText

/// An array that can be edited. It is part of a document, or is created to be added to one.
///
/// ```swift
/// let phones = MutableArrayObject(data: ["+371 1"])
/// hotel.setArray(phones, forKey: "phones")
/// phones.addString("+371 2")   // also changes the hotel
/// ```
///
/// An array can be part of several documents at the same time. Saving a document saves the current state of the array.
///
/// `@unchecked Sendable`: its state is that of ``ArrayObject``, under the same lock.
public final class MutableArrayObject: ArrayObject, MutableArrayProtocol, @unchecked Sendable {
  /// Creates an empty array.
  public convenience init() {
    self.init(ContainerState(.emptyArray, isDictionary: false, isMutable: true))
  }

  /// Creates an array with elements.
  ///
  /// - Parameter data: the elements; see ``MutableDictionaryProtocol/setValue(_:forKey:)`` for the types.
  public convenience init(data: [Any]) {
    self.init()
    setData(data)
  }

  /// Creates an array from JSON text.
  ///
  /// - Parameter json: a JSON array.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON array.
  public convenience init(json: String) throws {
    self.init()
    try setJSON(json)
  }

  override init(_ state: ContainerState) { super.init(state) }

  /// Returns an element as an array. Edits to the array change this object.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the array, or nil if the value is missing or of another type.
  public override func array(at index: Int) -> MutableArrayObject? { value(at: index) as? MutableArrayObject }

  /// Returns an element as a dictionary. Edits to the dictionary change this object.
  ///
  /// - Parameter index: the position of the element, starting at 0.
  /// - Returns: the dictionary, or nil if the value is missing or of another type.
  public override func dictionary(at index: Int) -> MutableDictionaryObject? {
    value(at: index) as? MutableDictionaryObject
  }

  /// Replaces an element. See ``MutableArrayProtocol/setValue(_:at:)``.
  ///
  /// - Parameters:
  ///   - value: the value; nil sets null.
  ///   - index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func setValue(_ value: Any?, at index: Int) -> Self {
    let value = acceptable(PropertyValue(value))
    _ = withState { $0.replaceItem(at: index, by: value) }
    return self
  }

  /// Appends an element.
  ///
  /// - Parameter value: the value; nil appends null.
  /// - Returns: the object itself.
  @discardableResult
  public func addValue(_ value: Any?) -> Self {
    let value = acceptable(PropertyValue(value))
    withState { $0.insert(value, at: $0.count) }
    return self
  }

  /// Inserts an element.
  ///
  /// - Parameters:
  ///   - value: the value; nil inserts null.
  ///   - index: the position before which the element is inserted; ``ArrayObject/count`` appends the element.
  /// - Returns: the object itself.
  @discardableResult
  public func insertValue(_ value: Any?, at index: Int) -> Self {
    let value = acceptable(PropertyValue(value))
    withState { $0.insert(value, at: index) }
    return self
  }

  /// Removes an element.
  ///
  /// - Parameter index: the position, starting at 0.
  /// - Returns: the object itself.
  @discardableResult
  public func removeValue(at index: Int) -> Self {
    _ = withState { $0.removeItem(at: index) }
    return self
  }

  /// Replaces all elements.
  ///
  /// - Parameter data: the elements; see ``MutableDictionaryProtocol/setValue(_:forKey:)`` for the types.
  /// - Returns: the object itself.
  @discardableResult
  public func setData(_ data: [Any]) -> Self {
    let values = data.map { acceptable(PropertyValue($0)) }
    _ = withState { $0.replaceAll(keys: [], items: values) }
    return self
  }

  /// Replaces all elements with those of a JSON array, whose text is stored byte for byte.
  ///
  /// - Parameter json: a JSON array.
  /// - Returns: the object itself.
  /// - Throws: ``CBLError/invalidJSON`` if the text is not a JSON array.
  @discardableResult
  public func setJSON(_ json: String) throws -> Self {
    let source = try JSONSourceText(checking: json, isDictionary: false)
    _ = withState { $0.replaceAll(by: source) }
    return self
  }
}
