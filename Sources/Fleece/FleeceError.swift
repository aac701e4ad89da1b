/// An error in a block of Fleece data.
public enum FleeceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A value or a pointer is outside the block, or is malformed.
  case malformed(String, offset: Int)
  /// Arrays and dictionaries are nested deeper than ``FleeceReader/maximumDepth`` levels.
  case tooDeep
  /// The JSON text would be larger than the limit, or the conversion would take more steps than the limit. A small
  /// block can describe a huge value, because several pointers can refer to the same array.
  case tooLarge(limit: Int)
  /// A dictionary contains a shared key that is not in the list of shared keys.
  case unknownSharedKey(Int)
  /// The root is not a dictionary, but a dictionary was expected.
  case notADictionary

  /// A description of the error.
  public var description: String {
    switch self {
    case .malformed(let what, let offset): "malformed Fleece data at byte \(offset): \(what)"
    case .tooDeep: "Fleece data is nested deeper than \(FleeceReader.maximumDepth) levels"
    case .tooLarge(let limit): "the Fleece data is larger than \(limit) bytes as JSON"
    case .unknownSharedKey(let key): "Fleece data uses the shared key \(key), which is not in the list of shared keys"
    case .notADictionary: "the Fleece data is not a dictionary"
    }
  }
}
