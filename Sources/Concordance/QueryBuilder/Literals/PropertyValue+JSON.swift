import JSONText

/// A value that cannot be written as JSON.
struct UnusableValue: Error {
  /// A description of the value, and of the values to use instead.
  let message: String
}

extension PropertyValue {
  /// The JSON value that is written when the value is saved in a document.
  func jsonValue() throws(UnusableValue) -> JSONValue {
    switch self {
    case .scalar(let value): value
    case .number(let digits): JSONValue(number: digits)
    case .dictionary(let dictionary): try PropertyValue.read(dictionary)
    case .array(let array): try PropertyValue.read(array)
    case .blob(let blob, _): try PropertyValue.parsed(Array(blob.toJSON().utf8), "the blob")
    case .unusable(let what):
      throw UnusableValue(
        message: "\(what); use a string, a finite number, a boolean, a date, null, a blob, an array or a dictionary")
    case .text, .removed: .null
    }
  }

  private static func read(_ container: any PropertyContainer) throws(UnusableValue) -> JSONValue {
    if let (path, what) = container.fault() {
      let location = path.isEmpty ? "" : " at \(PropertyPath(path))"
      throw UnusableValue(message: "an object that\(location) \(what)")
    }
    return try parsed(container.jsonBytes, "the object")
  }

  private static func parsed(_ json: [UInt8], _ name: String) throws(UnusableValue) -> JSONValue {
    do {
      return try JSONParser.withShared { parser in try json.withUnsafeBytes { JSONValue(try parser.parse($0)) } }
    } catch {
      throw UnusableValue(message: "\(name), whose JSON cannot be read (\(error))")
    }
  }
}
