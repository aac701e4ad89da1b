import JSONText
import QueryModel

extension QueryExpression {
  /// Whether this is a call to PREDICTION.
  var isPrediction: Bool {
    if case .function(.prediction, _, _) = self { true } else { false }
  }

  /// Whether this expression or one inside it is a call to PREDICTION.
  var makesPredictions: Bool { contains(where: \.isPrediction) }

  /// The names of the models that this expression calls, if they are constants.
  var modelNames: Set<String> {
    var names: Set<String> = []
    visit {
      if case .function(.prediction, let arguments, _) = $0, case .string(let name)? = arguments.first {
        names.insert(name)
      }
    }
    return names
  }

  /// Returns the name of a property of an output without the leading dot that Couchbase Lite writes in JSON (`.label`).
  static func predictionProperty(_ text: String) -> String {
    text.utf8.first == UInt8(ascii: ".") ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text
  }

  /// A copy in which a path after a prediction becomes its third argument, so that `PREDICTION(m, x).label`,
  /// `PREDICTION(m, x, 'label')` and `PREDICTION(m, x, '.label')` have the same form, which is used to find indexes.
  var joiningPredictionPaths: QueryExpression {
    map { expression in
      if case .function(.prediction, let arguments, _) = expression, arguments.count > 2,
        case .string(let property) = arguments[2]
      {
        let path = QueryExpression.predictionProperty(property)
        return .function(.prediction, arguments.prefix(2) + [.string(path)], isDistinct: false)
      }
      guard case .member(of: .function(.prediction, let arguments, _), let path) = expression,
        case .key? = path.components.first, arguments.count >= 2
      else { return expression }
      var property = path.description
      if arguments.count > 2 {
        guard case .string(let outer) = arguments[2] else { return expression }
        property = "\(outer).\(property)"
      }
      return .function(.prediction, arguments.prefix(2) + [.string(property)], isDistinct: false)
    }
  }
}
