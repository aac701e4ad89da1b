// Parameters as a Swift dictionary, as in the predicate queries of the first developer builds of Couchbase Lite 2. A
// class cannot have two properties with the same name, but a property of a protocol extension can be selected by its
// type.

/// A query whose parameters can be set as a Swift dictionary. ``Query`` conforms to it.
public protocol DictionaryParameterized: AnyObject {
  /// The values of the parameters by name, without `$`.
  var parameterDictionary: [String: Any] { get set }
}

extension DictionaryParameterized {
  /// The values of the parameters by name, without `$`.
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
  /// The values of the parameters by name, without `$`. Setting it replaces ``parameters``.
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
  /// Creates parameters from a dictionary: `Parameters(["MinPrice": 100])`.
  ///
  /// - Parameter values: the values by name; see ``setValue(_:forName:)`` for the types.
  public convenience init(_ values: [String: Any]) {
    self.init()
    for (name, value) in values { setValue(value, forName: name) }
  }
}
