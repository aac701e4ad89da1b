import Foundation
import JSONText

/// Runs a type's `init(from:)` with sample values, and records the path of each requested value.
///
/// All runs use the same values, except at and below one path, where a run uses different values. A comparison of two
/// runs shows which property is decoded from that path.
final class SampleSession {
  /// A requested value and its path.
  struct Record {
    let path: [PropertyPath.Component]
    let value: Any
    /// Whether it was decoded as a ``DocumentID``. At the top level it is the id of the document.
    let isDocumentID: Bool
  }

  /// The maximum nesting depth. Deeper optionals are nil and deeper arrays are empty, so that decoding a recursive type
  /// terminates.
  static let maximumDepth = 3

  /// The requested values, in the order in which their decoding finished.
  private(set) var records: [Record] = []
  /// For each keyed container at the top level, a function that returns whether its key type has a key with a given
  /// name.
  private(set) var hasKey: [(String) -> Bool] = []
  /// The path at and below which different values are used; nil for the first run.
  private let changed: [PropertyPath.Component]?
  /// The form of the sample strings.
  private let text: SampleText

  private init(changed: [PropertyPath.Component]?, text: SampleText) {
    self.changed = changed
    self.text = text
  }

  /// Decodes a value of a type.
  ///
  /// - Parameters:
  ///   - type: the type to decode.
  ///   - changed: the path at and below which different values are used; nil for none.
  /// - Returns: the value, or nil if the type threw an error; and the session with the recorded requests.
  static func run<T: Decodable>(
    _ type: T.Type, changed: [PropertyPath.Component]? = nil
  ) -> (value: T?, session: SampleSession) {
    let session = SampleSession(changed: changed, text: .sentence)
    return (try? session.make(type, at: []), session)
  }

  /// Records a value and its path.
  func note(_ value: Any, at path: [PropertyPath.Component], isDocumentID: Bool = false) {
    records.append(Record(path: path, value: value, isDocumentID: isDocumentID))
  }

  /// Records the key type of a container at the top level.
  func note<Key: CodingKey>(keys: Key.Type) {
    hasKey.append { Key(stringValue: $0) != nil }
  }

  /// Whether different values are used at the path.
  func isChanged(_ path: [PropertyPath.Component]) -> Bool {
    guard let changed else { return false }
    return path.starts(with: changed)
  }

  // MARK: Values

  /// Returns the sample value of a type for a path.
  ///
  /// - Throws: the last error of the type's `init(from:)`, if it rejects every sample; `DecodingError` if the path is
  ///   too deep.
  func make<T: Decodable>(_ type: T.Type, at path: [PropertyPath.Component]) throws -> T {
    let isOther = isChanged(path)
    if let value = SampleValue.scalar(type, isOther: isOther, text: text) as? T { return value }
    if !path.isEmpty, let value = SampleValue.listed(type, isOther: isOther) { return value }
    guard path.count <= SampleSession.maximumDepth else {
      throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "too deep"))
    }
    var lastError: any Error = CancellationError()
    // A type that is decoded from a string may accept only some strings, such as dates.
    for text in SampleText.allCases {
      let inner = SampleSession(changed: changed, text: text)
      do {
        let value = try T(from: SampleDecoder(session: inner, path: path))
        records += inner.records
        hasKey += inner.hasKey
        return value
      } catch {
        // The key types are valid even if decoding failed.
        hasKey += inner.hasKey
        lastError = error
      }
    }
    if !path.isEmpty, let value = ByteSizedType.value(of: type, isOther: isOther) { return value }
    throw lastError
  }
}
