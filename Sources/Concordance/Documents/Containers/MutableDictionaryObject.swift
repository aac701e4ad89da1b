import JSONText

/// A dictionary inside a document that can be edited, or one that is to be put into a document.
///
/// ```swift
/// let address = MutableDictionaryObject().setString("Riga", forKey: "city")
/// hotel.setDictionary(address, forKey: "address")
/// address.setString("LV-1050", forKey: "zip")   // the hotel sees it
/// ```
///
/// It may be in several documents at a time. Saving a document saves the state that it has then.
///
/// `@unchecked Sendable`: the state is that of ``DictionaryObject``, under the same lock.
public final class MutableDictionaryObject: DictionaryObject, MutableDictionaryProtocol, @unchecked Sendable {
  /// An empty dictionary.
  public convenience init() {
    self.init(ContainerState(.emptyObject, isDictionary: true, isMutable: true))
  }

  /// A dictionary with properties. See ``setValue(_:forKey:)`` for the types.
  public convenience init(data: [String: Any]) {
    self.init()
    setData(data)
  }

  /// A dictionary of JSON text.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON object.
  public convenience init(json: String) throws {
    self.init()
    try setJSON(json)
  }

  override init(_ state: ContainerState) { super.init(state) }

  /// The array, or nil. Edits of it are edits of this object.
  public override func array(forKey key: String) -> MutableArrayObject? { value(forKey: key) as? MutableArrayObject }

  /// The dictionary, or nil. Edits of it are edits of this object.
  public override func dictionary(forKey key: String) -> MutableDictionaryObject? {
    value(forKey: key) as? MutableDictionaryObject
  }

  /// Sets a property. See ``MutableDictionaryProtocol/setValue(_:forKey:)``.
  @discardableResult
  public func setValue(_ value: Any?, forKey key: String) -> Self {
    let value = acceptable(PropertyValue(value))
    _ = withState { $0.set(value, forKey: key) }
    return self
  }

  /// Replaces all properties. See ``setValue(_:forKey:)`` for the types.
  @discardableResult
  public func setData(_ data: [String: Any]) -> Self {
    // A dictionary has no order; sorted, equal ones become the same text.
    let members = data.sorted { $0.key < $1.key }
    let values = members.map { acceptable(PropertyValue($0.value)) }
    _ = withState { $0.replaceAll(keys: members.map(\.key), items: values) }
    return self
  }

  /// Replaces all properties by those of JSON text, which is kept byte for byte.
  ///
  /// - Throws: ``CBLError`` of code ``CBLError/invalidJSON`` when the text is not a JSON object.
  @discardableResult
  public func setJSON(_ json: String) throws -> Self {
    let source = try SourceText(checking: json, isDictionary: true)
    _ = withState { $0.replaceAll(by: source) }
    return self
  }

  /// Removes a property; does nothing when there is none.
  @discardableResult
  public func removeValue(forKey key: String) -> Self {
    _ = withState { $0.removeItem(forKey: key) }
    return self
  }
}
