// Parameters as a Swift dictionary, as the predicate queries of the first developer builds of Couchbase Lite 2 took them. A class
// cannot have two properties of one name; one of a protocol's extension can be chosen by its type.

/// A query whose parameters can be set as a Swift dictionary: every ``Query``.
public protocol DictionaryParameterized: AnyObject {
  /// The names of the parameters, without `$`, with their values.
  var parameterDictionary: [String: Any] { get set }
}

extension DictionaryParameterized {
  /// The values of the query's parameters by name.
  ///
  /// ```swift
  /// query.parameters = ["MinPrice": 100, "type": "hotel"]
  /// ```
  @_disfavoredOverload
  public var parameters: [String: Any] {
    get { parameterDictionary }
    set { parameterDictionary = newValue }
  }
}

extension Query: DictionaryParameterized {
  /// The values of the query's parameters by name; setting replaces ``parameters``.
  public var parameterDictionary: [String: Any] {
    get {
      guard let parameters else { return [:] }
      return parameters.names.reduce(into: [:]) { $0[$1] = parameters.value(forName: $1) }
    }
    set {
      let values = Parameters()
      for (name, value) in newValue { values.setValue(value, forName: name) }
      parameters = values
    }
  }
}

extension Parameters {
  /// Values by name, as in `Parameters(["MinPrice": 100])`. See ``setValue(_:forName:)`` for the types.
  public convenience init(_ values: [String: Any]) {
    self.init()
    for (name, value) in values { setValue(value, forName: name) }
  }
}
