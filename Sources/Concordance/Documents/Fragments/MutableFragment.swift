public import Foundation

/// A location in a document that can be edited.
///
/// ```swift
/// document["address"]["city"].string = "Riga"
/// document["phones"][0].value = nil   // null
/// ```
///
/// If a part of the chain does not exist, for example `address` or the element of the array, setting a value does
/// nothing.
public final class MutableFragment: Fragment, MutableFragmentProtocol, MutableDictionaryFragment,
  MutableArrayFragment
{
  /// The value; nil sets null. See ``MutableDictionaryProtocol/setValue(_:forKey:)`` for the types.
  public override var value: Any? {
    get { super.value }
    set {
      switch location {
      case .property(let dictionary as any MutableDictionaryProtocol, let key):
        dictionary.setValue(newValue, forKey: key)
      case .element(let array as any MutableArrayProtocol, let index) where index >= 0 && index < array.count:
        array.setValue(newValue, at: index)
      case .missing, .property, .element: break
      }
    }
  }

  /// The string; nil sets null.
  public override var string: String? {
    get { super.string }
    set { value = newValue }
  }

  /// The number, truncated and clamped to the type; 1 for true; 0 if the value is missing or of another type.
  public override var int: Int {
    get { super.int }
    set { value = newValue }
  }

  /// The number, truncated and clamped to the type; 1 for true; 0 if the value is missing or of another type.
  public override var int64: Int64 {
    get { super.int64 }
    set { value = newValue }
  }

  /// The number; 1 for true; 0 if the value is missing or of another type.
  public override var float: Float {
    get { super.float }
    set { value = newValue }
  }

  /// The number; 1 for true; 0 if the value is missing or of another type.
  public override var double: Double {
    get { super.double }
    set { value = newValue }
  }

  /// The number or boolean; nil sets null.
  public override var number: NSNumber? {
    get { super.number }
    set { value = newValue }
  }

  /// False for false, null, the number 0 and a missing value; true for any other value.
  public override var boolean: Bool {
    get { super.boolean }
    set { value = newValue }
  }

  /// The date of an ISO 8601 string; nil sets null.
  public override var date: Date? {
    get { super.date }
    set { value = newValue }
  }

  /// The blob; nil sets null.
  public override var blob: Blob? {
    get { super.blob }
    set { value = newValue }
  }

  /// The array; nil sets null.
  public override var array: MutableArrayObject? {
    get { value as? MutableArrayObject }
    set { value = newValue }
  }

  /// The dictionary; nil sets null.
  public override var dictionary: MutableDictionaryObject? {
    get { value as? MutableDictionaryObject }
    set { value = newValue }
  }

  /// The element at the given position of this array.
  ///
  /// - Parameter index: the position, starting at 0.
  public override subscript(index: Int) -> MutableFragment {
    array.map { MutableFragment($0, index: index) } ?? MutableFragment(.missing)
  }

  /// The property with the given key of this dictionary.
  ///
  /// - Parameter key: the key of the property.
  public override subscript(key: String) -> MutableFragment {
    dictionary.map { MutableFragment($0, key: key) } ?? MutableFragment(.missing)
  }
}
