import Foundation
import JSONText

/// A run of a type's `init(from:)` over made-up values, which notes where each value was asked for.
///
/// Every run gives the same values, but for what is at or inside one path, which gets others. Comparing two runs shows which
/// property comes from that path.
final class SampleSession {
  /// A value that was asked for, and where.
  struct Record {
    let path: [PropertyPath.Component]
    let value: Any
    /// Whether it is the id of a document, if it stands at the top.
    let isDocumentID: Bool
  }

  /// How deep values are made. What is optional or in an array ends there, so that types may hold themselves.
  static let maximumDepth = 3

  /// The values in the order in which they were complete.
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

  /// A value of a type, and what was asked for to make it. The value is nil where the type refused what it was given.
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
        // The keys are known even so.
        hasKey += inner.hasKey
        refusal = error
      }
    }
    if !path.isEmpty, let value = ByteSizedType.value(of: type, isOther: isOther) { return value }
    throw refusal
  }
}
