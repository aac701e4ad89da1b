import JSONText

/// The value of a property or an element in a container.
enum PropertyValue: Sendable {
  /// A value that has not been accessed yet: a range of the text that the container was read from.
  case text(Range<Int>)
  /// Null, a boolean, a number or a string.
  case scalar(JSONValue)
  case dictionary(DictionaryObject)
  case array(ArrayObject)
  /// A blob, with the range of its JSON form if it was read from the text.
  case blob(Blob, Range<Int>?)
  /// A number with more digits than a `Double` can represent, as JSON text.
  case number(String)
  /// The gap of a removed property.
  case removed
  /// The description of a value that JSON cannot represent and that therefore cannot be saved.
  case unusable(String)

  /// The container object of an array or a dictionary; nil for other values and for values that have not been accessed
  /// yet.
  var container: (any PropertyContainer)? {
    switch self {
    case .dictionary(let dictionary): dictionary
    case .array(let array): array
    case .text, .scalar, .number, .blob, .removed, .unusable: nil
    }
  }

  /// The value with numbers as Swift types; nil for a value that cannot be stored. The public API returns
  /// `castableValue`.
  var swiftValue: Any? {
    switch self {
    case .text, .removed, .unusable: nil
    case .scalar(let value): value.swiftValue
    case .number(let digits): JSONValue(number: digits).swiftValue
    case .dictionary(let dictionary): dictionary
    case .array(let array): array
    case .blob(let blob, _): blob
    }
  }

  func write(to writer: inout JSONWriter, source: JSONSourceText) {
    switch self {
    case .text(let range), .blob(_, let range?): writer.write(rawJSON: source.bytes[range])
    case .scalar(let value): writer.write(value)
    case .number(let digits): writer.write(rawJSON: digits.utf8)
    case .dictionary(let dictionary): dictionary.writeItems(to: &writer)
    case .array(let array): array.writeItems(to: &writer)
    case .blob(let blob, nil): blob.write(to: &writer)
    case .removed, .unusable: writer.writeNull()
    }
  }
}

extension PropertyValue {
  /// Creates an array, a dictionary or a blob from JSON text in the result of a query.
  init(container text: [UInt8], in database: Database?) {
    let source = JSONSourceText(text)
    guard source.firstByte(source.range) == UInt8(ascii: "{") else {
      self = .array(ArrayObject(ContainerState(source, isDictionary: false, isMutable: false, database: database)))
      return
    }
    if let properties = source.blobProperties(source.range), let blob = Blob.stored(properties, in: database) {
      self = .blob(blob, source.range)
    } else {
      self = .dictionary(
        DictionaryObject(ContainerState(source, isDictionary: true, isMutable: false, database: database)))
    }
  }
}
