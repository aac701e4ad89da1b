/// The declaration of an option of an ``AnalyzerConfiguration``, from which its JSON, comparisons, descriptions and
/// command-line help are derived.
///
/// To add an option, add a property to ``AnalyzerConfiguration`` and a declaration to ``all``, which is in the same
/// file. `AnalysisPlan` resolves the option and `Tokenizer` applies it.
public struct AnalyzerOption: Sendable {
  /// The key in JSON and the name of the command's long option.
  public let name: String
  /// What the option does, for help texts: one sentence.
  public let help: String
  /// Whether the terms depend on the value, so that an index must be rebuilt if it changes. If not, only queries use
  /// the option.
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

  /// Declares an option. Its default value is that of the property.
  ///
  /// - Parameters:
  ///   - name: see ``name``.
  ///   - property: the property that stores the value.
  ///   - changesTerms: see ``changesTerms``.
  ///   - colocatesTerms: returns whether a value puts several terms at one position.
  ///   - isWritten: returns whether a value is written to JSON.
  ///   - help: see ``help``.
  ///   - describe: returns a value as text.
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

  /// Returns the value as text: `en`, `fold`, `on`.
  public func text(of configuration: AnalyzerConfiguration) -> String { describe(configuration) }

  /// Returns the value for encoding.
  public func value(of configuration: AnalyzerConfiguration) -> any Encodable & Sendable { read(configuration) }

  fileprivate var key: Key { Key(stringValue: name) }
}

extension AnalyzerConfiguration: Codable {
  /// Decodes a configuration. Missing options have their default values.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: AnalyzerOption.Key.self)
    for option in AnalyzerOption.all { try option.decodeValue(&self, container, option.key) }
  }

  /// Encodes a configuration.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnalyzerOption.Key.self)
    for option in AnalyzerOption.all { try option.encodeValue(self, &container, option.key) }
  }
}

extension AnalyzerConfiguration {
  /// Returns whether another configuration produces the same terms, so that both can use the same index.
  public func makesSameTerms(as other: AnalyzerConfiguration) -> Bool {
    AnalyzerOption.all.allSatisfy { !$0.changesTerms || $0.areEqual(self, other) }
  }

  /// Whether a position may have several terms, such as a word and its stem.
  public var colocatesTerms: Bool { AnalyzerOption.all.contains { $0.isColocating(self) } }

  /// Returns this configuration updated for a change from `old` to `new`: each option whose value here equals its
  /// value in `old` gets its value from `new`.
  public func following(from old: AnalyzerConfiguration, to new: AnalyzerConfiguration) -> AnalyzerConfiguration {
    var result = self
    for option in AnalyzerOption.all where option.areEqual(self, old) { option.copy(new, &result) }
    return result
  }
}
