import DocumentStore

/// A coding key: the name of a property, or a position in an array.
struct NamedKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  /// Creates the key of a property.
  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  /// Creates the key of an array element.
  init(_ position: Int) {
    stringValue = "\(position)"
    intValue = position
  }

  init?(stringValue: String) { self.init(stringValue) }

  init?(intValue: Int) { self.init(intValue) }
}

/// Limits the recursion of encoders and decoders, so that a deeply nested value cannot overflow the stack.
///
/// The depth of a value is the number of containers around it. A container with a single value has no key in the path
/// of the value, so both the path and the depth are limited.
enum CodingDepth {
  /// Allows a container with a single value for each array or dictionary of a document.
  private static let maximum = 2 * DocumentBody.maximumDepth

  /// Returns the error for a value that is nested too deeply; nil for other values. The path of the error ends at the
  /// first property, because all of it would fill the message.
  static func excess(_ path: [any CodingKey], _ depth: Int) -> (path: [any CodingKey], description: String)? {
    let levels = DocumentBody.maximumDepth
    let description: String
    if path.count > levels {
      description = "arrays and dictionaries are nested deeper than \(levels) levels"
    } else if depth > maximum {
      description = "values are nested deeper than \(maximum) levels"
    } else {
      return nil
    }
    return (path: Array(path.prefix(1)), description: description)
  }
}

extension [any CodingKey] {
  /// The path in the form `address.phones[2]`; "the document" if it is empty.
  var propertyPath: String {
    guard !isEmpty else { return "the document" }
    return reduce(into: "") { path, key in
      if let position = key.intValue {
        path += "[\(position)]"
      } else {
        path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
  }
}

/// Converts errors of encoders and decoders to ``CBLError``, with the path of the property.
enum CodingFailure {
  /// Converts a `DecodingError`. Other errors are returned unchanged.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - value: a description of the decoded value, for the message.
  /// - Returns: ``CBLError/decodingError`` with the path of the property.
  static func decoding(_ error: any Error, _ value: String) -> any Error {
    guard let error = error as? DecodingError else { return error }
    let context: DecodingError.Context
    switch error {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default: return CBLError(CBLError.decodingError, "\(value): \(error)")
    }
    return CBLError(
      CBLError.decodingError, "\(value): \(context.codingPath.propertyPath): \(context.debugDescription)")
  }

  /// Converts an `EncodingError`. Other errors are returned unchanged.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - value: a description of the encoded value, for the message.
  ///   - code: the code of the returned error.
  /// - Returns: ``CBLError`` with the path of the property.
  static func encoding(
    _ error: any Error, _ value: String, _ code: Int = CBLError.encodingError
  ) -> any Error {
    guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else { return error }
    let path = context.codingPath.isEmpty ? "" : "\(context.codingPath.propertyPath): "
    return CBLError(code, "\(value): \(path)\(context.debugDescription)")
  }
}
