@testable import Concordance
import Foundation
import QueryModel
import Testing

/// Expects a query to have the same model as an SQL++ text, and its description to be parsed to this model.
func expect(
  _ query: Query, is sql: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
  #expect(query.buildError == nil, sourceLocation: sourceLocation)
  var model = query.model
  // The names of columns of the developer builds are not part of the text.
  for number in model.sources.indices { model.sources[number].columnName = nil }
  #expect(model == (try SQLParser().parse(sql)), sourceLocation: sourceLocation)
  #expect(try SQLParser().parse(query.description) == model, sourceLocation: sourceLocation)
}

/// Expects an expression to have the same model as an SQL++ text.
func expect(
  _ expression: any ExpressionProtocol, is sql: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
  let built = BuiltExpression(expression)
  #expect(built.fault == nil, sourceLocation: sourceLocation)
  #expect(built.model == (try SQLParser().parseExpression(sql)), sourceLocation: sourceLocation)
}

/// Expects a query with this expression to record an error that contains these words.
func expectFault(
  _ expression: any ExpressionProtocol, _ words: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  let query = QueryBuilder.select(SelectResult.expression(expression))
  #expect(query.buildError?.code == CBLError.invalidQuery, sourceLocation: sourceLocation)
  let message = query.buildError?.message ?? ""
  #expect(message.contains(words), "\(message)", sourceLocation: sourceLocation)
  // The query can still be printed.
  #expect(query.description == "SELECT NULL", sourceLocation: sourceLocation)
}

func property(_ path: String) -> any PropertyExpressionProtocol { Expression.property(path) }

func int(_ value: Int) -> any ExpressionProtocol { Expression.int(value) }

func string(_ value: String) -> any ExpressionProtocol { Expression.string(value) }
