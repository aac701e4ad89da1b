import Concordance
import Foundation
import QueryCompiler
import QueryModel
import Testing

/// The examples of the handbook's page on SQL++, read from the page and run over the documents that it shows.
///
/// A block of SQL is followed by the rows that it returns, one per line, or by its error message. A comment `-- $name =
/// value` sets a parameter. The last two cells of a row under `expression` and `result` are an expression and its
/// value, and a table whose first cell is an operator has operands in its first column and its header.
@Suite struct HandbookQueryTests {
  private let files: TemporaryDatabase
  private let page: HandbookPage

  /// The model of the examples.
  private struct WordCount: PredictiveModel {
    func predict(input: DictionaryObject) -> DictionaryObject? {
      input.string(forKey: "text").map { MutableDictionaryObject(data: ["words": $0.split(separator: " ").count]) }
    }
  }

  init() throws {
    Database.prediction.registerModel(WordCount(), withName: "WordCount")
    page = try HandbookPage("sqlpp.md")
    files = try TemporaryDatabase()
    try page.importDocuments(into: files.database)
    let hotels = try #require(try files.database.collection(name: "hotels"))
    try hotels.createIndex(
      withName: "text", config: FullTextIndexConfiguration(["name", "reviews[].text"], language: "en"))
  }

  @Test func everyQueryReturnsTheDocumentedResult() throws {
    var count = 0
    for (block, result) in zip(page.blocks, page.blocks.dropFirst()) where block.language == "sql" {
      #expect(result.followsBlock, "\(block.text) has no result")
      let output: String
      do {
        output = try query(block.text).execute().map { $0.toJSON() + "\n" }.joined()
        #expect(result.language == "json")
      } catch let error as CBLError {
        output = error.message + "\n"
        #expect(result.language == "text", "\(block.text)\(error.message)")
      }
      #expect(output == result.text, "\(block.text)")
      count += 1
    }
    #expect(count > 15, "the scan finds no queries any more")
  }

  @Test func everyExpressionHasTheDocumentedValue() throws {
    let rows = page.rows.filter { $0.head.suffix(2) == ["expression", "result"] }
    #expect(rows.count > 100, "the scan finds no tables any more")
    for row in rows {
      let function = row.cells[0].code.flatMap { QueryFunction(rawValue: $0) }
      let source = function?.isAggregate == true ? " FROM hotels" : ""
      let expression = try #require(row.cells[row.cells.count - 2].code, "\(row.cells)")
      #expect(try value(expression, source) == row.cells.last?.code, "\(expression)")
    }
  }

  @Test func operatorTablesAreCorrect() throws {
    var operators: Set<String> = []
    for row in page.rows {
      guard let symbol = row.head[0].code, let left = row.cells[0].code else { continue }
      operators.insert(symbol)
      for (head, cell) in zip(row.head, row.cells).dropFirst() {
        let right = try #require(head.code)
        #expect(try value("\(left) \(symbol) \(right)") == cell.code, "\(left) \(symbol) \(right)")
      }
    }
    #expect(operators == ["=", "AND", "OR"])
  }

  @Test func everyFunctionIsDocumented() {
    let rows = page.rows.filter { $0.head.first == "function" }
    let names = rows.compactMap { $0.cells[0].code }
    for row in rows {
      #expect(row.cells[2].contains((row.cells[0].code ?? "?") + "("), "the example of \(row.cells[0]) is of another")
    }
    let available = QueryFunction.allCases.filter {
      QueryFunctions.implementation(of: $0) != nil || QueryAggregates.implementation(of: $0) != nil
    }
    #expect(names.sorted() == available.map(\.rawValue).sorted())
  }

  private func query(_ text: String) throws -> Query {
    let query = try files.database.createQuery(text)
    let parameters = Parameters()
    for match in text.matches(of: /(?m)^-- \$(\w+) = (.*)$/) {
      let holder = try MutableDocument(id: "parameter", json: "{\"value\":\(match.2)}")
      parameters.setValue(holder.value(forKey: "value"), forName: String(match.1))
    }
    query.parameters = parameters
    return query
  }

  /// Returns the value of an expression as JSON, or `MISSING`.
  private func value(_ expression: String, _ source: String = "") throws -> String {
    let query = try files.database.createQuery("SELECT \(expression)\(source)")
    return try #require(try query.execute().next()).json(at: 0) ?? "MISSING"
  }
}
