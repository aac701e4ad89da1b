import Concordance
import Foundation
import Testing

/// Invalid arguments of functions and clauses are query errors, not database errors.
@Suite struct QueryRefusalTests {
  let test: TemporaryDatabase

  init() throws {
    test = try TemporaryDatabase()
    try test.save("a", #"{"s": "x", "pattern": "("}"#)
  }

  @Test(arguments: [
    ("SELECT REGEXP_LIKE(s, pattern) FROM _", "missing closing parenthesis"),
    ("SELECT s FROM _ WHERE REGEXP_CONTAINS(s, '[')", "["),
    ("SELECT s FROM _ WHERE REGEXP_CONTAINS(s, 'a', 'iq')", "\"q\" in the flags \"iq\""),
    ("SELECT REGEXP_SUBSTR(s, '(?<key>a)', '', 'word') FROM _", "no group \"word\"; it has one group"),
    ("SELECT REGEXP_SUBSTR(s, 'a', '', 1) FROM _", "no group 1; it has no groups"),
    ("SELECT LENGTH(REPEAT(s, 9000000000)) FROM _", "larger than"),
    ("SELECT ARRAY_RANGE(0, 1e18) FROM _", "larger than"),
    ("SELECT s FROM _ LIMIT 'x'", "LIMIT and OFFSET take numbers"),
    ("SELECT s FROM _ LIMIT 1 OFFSET NULL", "LIMIT and OFFSET take numbers"),
  ])
  func invalidArgumentsAreQueryErrors(text: String, words: String) async throws {
    let query = try test.database.createQuery(text)
    let error = #expect(throws: CBLError.self) { _ = try query.execute() }
    #expect(error?.code == CBLError.invalidQuery, "\(error?.message ?? "")")
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains(test.folder.url.path) == false, "\(error?.message ?? "")")
    let again = await #expect(throws: CBLError.self) { for try await _ in try query.rows() {} }
    #expect(again?.message == error?.message)
  }
}
