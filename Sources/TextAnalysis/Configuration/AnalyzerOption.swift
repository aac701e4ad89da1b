/// An option of an ``AnalyzerConfiguration``: what is said about it once, from which its JSON, comparisons,
/// descriptions and the help of the command are derived.
///
/// A new option is a property of ``AnalyzerConfiguration`` and a declaration in ``all``, in the same file. What it does
/// is prepared in `AnalysisPlan` and applied by `Tokenizer`.
public struct AnalyzerOption: Sendable {
  /// The name: the key in JSON, and the long option of the command.
  public let name: String
  /// What the option does, for help texts: one sentence.
  public let help: String
  /// Whether another value gives other terms, so that an index has to be rebuilt. Otherwise it is used in queries only.
  public let changesTerms: Bool

  fileprivate let describe: @Sendable (AnalyzerConfiguration) -> String
  fileprivate let read: @Sendable (AnalyzerConfiguration) -> any Encodable & Sendable
  fileprivate let areEqual: @Sendable (AnalyzerConfiguration, AnalyzerConfiguration) -> Bool
  fileprivate let copy: @Sendable (AnalyzerConfiguration, inout AnalyzerConfiguration) -> Void
  fileprivate let isColocating: @Sendable (AnalyzerConfiguration) -> Bool
  fileprivate let encodeValue: @Sendable (AnalyzerConfiguration, inout KeyedEncodingContainer<Key>, Key) throws -> Void
  fileprivate let decodeValue: @Sendable (inout AnalyzerConfiguration, KeyedDecodingContainer<Key>, Key) throws -> Void

  /// A key of the JSON of a configuration.
  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Declares an option. Its default is the property's.
  ///
  /// - Parameters:
  ///   - name: see ``name``.
  ///   - property: the property that has the value.
  ///   - changesTerms: see ``changesTerms``.
  ///   - colocatesTerms: whether a value puts several terms at one position.
  ///   - isWritten: whether a value is written to JSON, which omits what has no value.
  ///   - help: see ``help``.
  ///   - describe: a value in words.
  init<Value: Codable & Hashable & Sendable>(
    _ name: String, _ property: any WritableKeyPath<AnalyzerConfiguration, Value> & Sendable, changesTerms: Bool,
    colocatesTerms: @escaping @Sendable (Value) -> Bool = { _ in false },
    isWritten: @escaping @Sendable (Value) -> Bool = { _ in true }, help: String,
    describe: @escaping @Sendable (Value) -> String
  ) {
    self.name = name
    self.help = help
    self.changesTerms = changesTerms
    self.describe = { describe($0[keyPath: property]) }
    read = { $0[keyPath: property] }
    areEqual = { $0[keyPath: property] == $1[keyPath: property] }
    copy = { $1[keyPath: property] = $0[keyPath: property] }
    isColocating = { colocatesTerms($0[keyPath: property]) }
    encodeValue = { configuration, container, key in
      let value = configuration[keyPath: property]
      if isWritten(value) { try container.encode(value, forKey: key) }
    }
    decodeValue = { configuration, container, key in
      if let value = try container.decodeIfPresent(Value.self, forKey: key) { configuration[keyPath: property] = value }
    }
  }

  /// The value in words: `en`, `fold`, `on`.
  public func text(of configuration: AnalyzerConfiguration) -> String { describe(configuration) }

  /// The value, to be encoded.
  public func value(of configuration: AnalyzerConfiguration) -> any Encodable & Sendable { read(configuration) }

  fileprivate var key: Key { Key(stringValue: name) }
}

extension AnalyzerConfiguration: Codable {
  /// Reads a configuration. What is missing has its default.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: AnalyzerOption.Key.self)
    for option in AnalyzerOption.all { try option.decodeValue(&self, container, option.key) }
  }

  /// Writes a configuration.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnalyzerOption.Key.self)
    for option in AnalyzerOption.all { try option.encodeValue(self, &container, option.key) }
  }
}

extension AnalyzerConfiguration {
  /// Whether text becomes the same terms with another configuration, so that an index of one serves the other.
  public func makesSameTerms(as other: AnalyzerConfiguration) -> Bool {
    AnalyzerOption.all.allSatisfy { !$0.changesTerms || $0.areEqual(self, other) }
  }

  /// Whether a position may have several terms, such as a word and its stem.
  public var colocatesTerms: Bool { AnalyzerOption.all.contains { $0.isColocating(self) } }

  /// Returns the configuration after a change of another one: the options in which both were equal change, too.
  public func following(from old: AnalyzerConfiguration, to new: AnalyzerConfiguration) -> AnalyzerConfiguration {
    var result = self
    for option in AnalyzerOption.all where option.areEqual(self, old) { option.copy(new, &result) }
    return result
  }
}
