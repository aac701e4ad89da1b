import JSONText
import QueryModel

extension QueryExpression {
  /// Whether this is a call of PREDICTION.
  var isPrediction: Bool {
    if case .function(.prediction, _, _) = self { true } else { false }
  }

  /// Whether this or anything inside is one.
  var makesPredictions: Bool { contains(where: \.isPrediction) }

  /// The names of the models that this asks, as far as they are constants.
  var modelNames: Set<String> {
    var names: Set<String> = []
    visit {
      if case .function(.prediction, let arguments, _) = $0, case .string(let name)? = arguments.first {
        names.insert(name)
      }
    }
    return names
  }

  /// A property of an output without the dot that Couchbase Lite writes in front of it in JSON: `.label`.
  static func predictionProperty(_ text: String) -> String {
    text.utf8.first == UInt8(ascii: ".") ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text
  }

  /// A copy with a path behind a prediction as its third argument, so that `PREDICTION(m, x).label`,
  /// `PREDICTION(m, x, 'label')` and `PREDICTION(m, x, '.label')` have one form, which indexes are found by.
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
