extension RankingModel {
  /// A numeric parameter of some models.
  public enum Parameter: String, CaseIterable, Sendable {
    case mu, lambda, c

    /// The names of the models that have the parameter.
    public var models: [String] { RankingModel.all.filter { $0.with(self, 1) != nil }.map(\.name) }
  }

  /// Returns the model with another value of a parameter; nil if it does not have the parameter.
  ///
  /// ```swift
  /// RankingModel(name: "dirichlet")?.with(.mu, 2000)   // .dirichlet(mu: 2000)
  /// ```
  ///
  /// A search with a value out of range throws an error.
  public func with(_ parameter: Parameter, _ value: Double) -> RankingModel? {
    switch (self, parameter) {
    case (.dirichlet, .mu): return .dirichlet(mu: value)
    case (.sequentialDependence(var dependence), .mu):
      dependence.mu = value
      return .sequentialDependence(dependence)
    case (.jelinekMercer, .lambda): return .jelinekMercer(lambda: value)
    case (.pl2, .c): return .pl2(c: value)
    default: return nil
    }
  }
}
