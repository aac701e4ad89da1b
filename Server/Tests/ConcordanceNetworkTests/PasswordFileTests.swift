import Concordance
import ConcordanceNetwork
import Testing

@Suite struct PasswordFileTests {
  // `openssl passwd -6 -salt abc secret`, and a hash of bcrypt with 2⁵ rounds.
  private static let text = """
    # users
    ann:$6$abc$IdWKNKTJEb8LxY7CGg8YBXlvtfZzFw7Mp/r6niK9YB2mdvgY..TKjv1T..8RadRt2qvUHYRLr/TsVArtr91iR1

    bob:$2y$05$abcdefghijklmnopqrstuuoXuKqgZXLiJqzfmMXDDhSFPIvxV7t8.
    """

  @Test func passwordsHaveTheirHashes() throws {
    let file = try PasswordFile(text: PasswordFileTests.text)
    #expect(file.contains(user: "ann", password: "secret"))
    #expect(file.contains(user: "bob", password: "hunter2"))
    for (user, password) in [
      ("ann", "Secret"), ("ann", ""), ("ann", "secret\0"), ("bob", "secret"), ("eve", "secret"), ("", ""),
    ] {
      #expect(!file.contains(user: user, password: password))
    }
  }

  @Test(arguments: [
    ("", "no users"), ("# only a comment", "no users"), ("ann", "line 1"), (":x", "line 1"), ("\nann:secret", "line 2"),
    ("ann:$apr1$x$y", "line 1"), ("ann:$1$abc$BXBqpb9BZcZhXLgbee.0s/", "line 1"),
    ("ann:$6$abc$x\nann:$6$abc$x", "line 2"),
  ]) func mistakesNameTheLine(text: String, message: String) {
    let error = #expect(throws: CBLError.self) { try PasswordFile(text: text) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
