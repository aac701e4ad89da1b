import Foundation

/// The forms of sample strings. They are tried in this order until a type accepts one.
enum SampleText: CaseIterable {
  /// Text with white space, capitals and non-ASCII letters. A property that is trimmed or otherwise changed differs
  /// from it.
  case sentence
  case number, date, identifier, address

  /// Returns the first or the second sample of this form.
  func text(isOther: Bool) -> String {
    switch self {
    case .sentence: isOther ? " Zwei Ärmel, 2 " : " Eine Öse, 1 "
    case .number: isOther ? "5" : "3"
    case .date: isOther ? "2002-02-02T02:02:02Z" : "2001-01-01T01:01:01Z"
    case .identifier: SampleValue.identifier(isOther: isOther).uuidString
    case .address: isOther ? "b@example.com" : "a@example.com"
    }
  }
}

/// Two different sample values of each type. `isOther` selects the second one.
enum SampleValue {
  /// Returns the sample of a type that ``PropertyDecoder`` decodes from a single property value, of `UUID` or of
  /// ``DocumentID``; nil for other types.
  static func scalar(_ type: any Decodable.Type, isOther: Bool, text: SampleText) -> Any? {
    switch type {
    case is String.Type: text.text(isOther: isOther)
    case is Bool.Type: isOther
    case let type as any FixedWidthInteger.Type: integer(type, isOther: isOther)
    case is Double.Type: isOther ? 5.25 : 3.5
    case is Float.Type: Float(isOther ? 5.25 : 3.5)
    case is Decimal.Type: Decimal(isOther ? 5.25 : 3.5)
    case is Date.Type: Date(timeIntervalSinceReferenceDate: isOther ? 86_400.25 : 3_600.5)
    case is URL.Type: URL(string: isOther ? "sample:5" : "sample:3")
    case is Data.Type: Data([isOther ? 5 : 3])
    case is UUID.Type: identifier(isOther: isOther)
    case is Blob.Type: Blob(contentType: "text/plain", data: Data([isOther ? 5 : 3]))
    case is DocumentID.Type: DocumentID(wrappedValue: text.text(isOther: isOther))
    default: nil
    }
  }

  /// Returns a valid UUID of version 4.
  static func identifier(isOther: Bool) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, isOther ? 5 : 3))
  }

  private static func integer<T: FixedWidthInteger>(_ type: T.Type, isOther: Bool) -> Any { T(isOther ? 5 : 3) }

  /// Returns a value of a type that is `CaseIterable`, or that has raw values and occupies at most one byte; nil for
  /// other types.
  static func listed<T>(_ type: T.Type, isOther: Bool) -> T? {
    if let type = type as? any CaseIterable.Type {
      let cases = cases(of: type)
      return cases.indices.contains(1) && isOther ? cases[1] as? T : cases.first as? T
    }
    return type is any RawRepresentable.Type ? ByteSizedType.value(of: type, isOther: isOther) : nil
  }

  private static func cases<T: CaseIterable>(of type: T.Type) -> [Any] { type.allCases.prefix(2).map { $0 as Any } }
}
