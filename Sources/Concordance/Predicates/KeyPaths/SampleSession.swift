import Foundation
import JSONText

/// A run of a type's `init(from:)` with sample values, which records the path of each requested value.
///
/// Every run uses the same values, except at or below one path, which gets other values. Comparing two runs shows which
/// property is decoded from that path.
final class SampleSession {
  /// A requested value and its path.
  struct Record {
    let path: [PropertyPath.Component]
    let value: Any
    /// Whether it is the id of a document, if it is at the top level.
    let isDocumentID: Bool
  }

  /// The maximum nesting depth. Below it optionals are nil and arrays are empty, so that recursive types end.
  static let maximumDepth = 3

  /// The values, in the order in which they were completed.
  private(set) var records: [Record] = []
  /// Whether the type has a key of a name, asked of every container at the top.
  private(set) var hasKey: [(String) -> Bool] = []
  /// The path with other values.
  private let changed: [PropertyPath.Component]?
  private let text: SampleText

  private init(changed: [PropertyPath.Component]?, text: SampleText) {
    self.changed = changed
    self.text = text
  }

  /// A value of a type, and what was asked for to make it. The value is nil if the type threw an error.
  static func run<T: Decodable>(
    _ type: T.Type, changed: [PropertyPath.Component]? = nil
  ) -> (value: T?, session: SampleSession) {
    let session = SampleSession(changed: changed, text: .sentence)
    return (try? session.make(type, at: []), session)
  }

  func note(_ value: Any, at path: [PropertyPath.Component], isDocumentID: Bool = false) {
    records.append(Record(path: path, value: value, isDocumentID: isDocumentID))
  }

  func note<Key: CodingKey>(keys: Key.Type) {
    hasKey.append { Key(stringValue: $0) != nil }
  }

  /// Whether the path is one with other values.
  func isChanged(_ path: [PropertyPath.Component]) -> Bool {
    guard let changed else { return false }
    return path.starts(with: changed)
  }

  // MARK: Values

  /// A value of a type for a path.
  func make<T: Decodable>(_ type: T.Type, at path: [PropertyPath.Component]) throws -> T {
    let isOther = isChanged(path)
    if let value = SampleValue.scalar(type, isOther: isOther, text: text) as? T { return value }
    if !path.isEmpty, let value = SampleValue.listed(type, isOther: isOther) { return value }
    guard path.count <= SampleSession.maximumDepth else {
      throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "too deep"))
    }
    var refusal: any Error = CancellationError()
    // A type that reads a text may take only some.
    for text in SampleText.allCases {
      let inner = SampleSession(changed: changed, text: text)
      do {
        let value = try T(from: SampleDecoder(session: inner, path: path))
        records += inner.records
        hasKey += inner.hasKey
        return value
      } catch {
        // The keys were recorded nevertheless.
        hasKey += inner.hasKey
        refusal = error
      }
    }
    if !path.isEmpty, let value = ByteSizedType.value(of: type, isOther: isOther) { return value }
    throw refusal
  }
}
