import JSONText

/// An array inside a document that can be edited, or one that is to be put into a document.
///
/// ```swift
/// let phones = MutableArrayObject(data: ["+371 1"])
/// hotel.setArray(phones, forKey: "phones")
/// phones.addString("+371 2")   // the hotel sees it
/// ```
///
/// `@unchecked Sendable`: the state is that of ``ArrayObject``, under the same lock.
public final class MutableArrayObject: ArrayObject, MutableArrayProtocol, @unchecked Sendable {
  /// An empty array.
  public convenience init() {
    self.init(ContainerState(.emptyArray, isDictionary: false, isMutable: true))
  }

  /// An array with elements. See ``MutableDictionaryProtocol/setValue(_:forKey:)`` for the types.
  public convenience init(data: [Any]) {
    self.init()
    setData(data)
  }

  /// An array of JSON text.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON array.
  public convenience init(json: String) throws {
    self.init()
    try setJSON(json)
  }

  override init(_ state: ContainerState) { super.init(state) }

  /// The array, or nil. Edits of it are edits of this object.
  public override func array(at index: Int) -> MutableArrayObject? { value(at: index) as? MutableArrayObject }

  /// The dictionary, or nil. Edits of it are edits of this object.
  public override func dictionary(at index: Int) -> MutableDictionaryObject? {
    value(at: index) as? MutableDictionaryObject
  }

  /// Replaces the element at a position. See ``MutableArrayProtocol/setValue(_:at:)``.
  @discardableResult
  public func setValue(_ value: Any?, at index: Int) -> Self {
    let value = acceptable(PropertyValue(value))
    _ = withState { $0.replaceItem(at: index, by: value) }
    return self
  }

  /// Adds an element behind the last.
  @discardableResult
  public func addValue(_ value: Any?) -> Self {
    let value = acceptable(PropertyValue(value))
    withState { $0.insert(value, at: $0.count) }
    return self
  }

  /// Inserts an element before a position; at ``ArrayObject/count`` behind the last.
  @discardableResult
  public func insertValue(_ value: Any?, at index: Int) -> Self {
    let value = acceptable(PropertyValue(value))
    withState { $0.insert(value, at: index) }
    return self
  }

  /// Removes the element at a position.
  @discardableResult
  public func removeValue(at index: Int) -> Self {
    _ = withState { $0.removeItem(at: index) }
    return self
  }

  /// Replaces all elements.
  @discardableResult
  public func setData(_ data: [Any]) -> Self {
    let values = data.map { acceptable(PropertyValue($0)) }
    _ = withState { $0.replaceAll(keys: [], items: values) }
    return self
  }

  /// Replaces all elements by those of JSON text, which is kept byte for byte.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON array.
  @discardableResult
  public func setJSON(_ json: String) throws -> Self {
    let source = try SourceText(checking: json, isDictionary: false)
    _ = withState { $0.replaceAll(by: source) }
    return self
  }
}
