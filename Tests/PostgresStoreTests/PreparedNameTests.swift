import Testing

@testable import PostgresStore

@Suite struct PreparedNameTests {
  @Test func namesAreReadBack() {
    for client in ["0123456789abcdef", "init"] {
      let name = PreparedName(cluster: "c0", client: client, number: 7)
      #expect(PreparedName(name.text, cluster: "c0") == name)
    }
  }

  /// Another program may have prepared a transaction with such a name.
  @Test(
    arguments: [
      "concordance:c0:a'b:7", "concordance:c0::7", "concordance:c0:ab:-7", "concordance:c0:ab:+7",
      "concordance:c0:ab:07",
      "concordance:c0:ab:7:8", "concordance:c1:ab:7", "other:c0:ab:7",
    ])
  func otherNamesAreIgnored(name: String) {
    #expect(PreparedName(name, cluster: "c0") == nil)
  }

  @Test func aClusterFromANameIsChecked() { #expect(PreparedName("concordance:a'b:init:1", cluster: "a'b") == nil) }
}
