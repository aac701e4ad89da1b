import Testing

@testable import PostgresAccess

struct PostgresSettingsTests {
  /// A quotation mark with a combining accent is one character, but PostgreSQL sees a quotation mark.
  @Test(arguments: ["a": "\"a\"", "a\"b": "\"a\"\"b\"", "\"\u{301}": "\"\"\"\u{301}\""])
  func quotationMarksOfTheSchemaAreDoubled(schema: String, quoted: String) {
    var settings = PostgresSettings()
    settings.schema = schema
    #expect(settings.script.utf8.starts(with: "SET search_path = \(quoted); ".utf8))
  }
}
