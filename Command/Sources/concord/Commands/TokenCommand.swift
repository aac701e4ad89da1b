import ArgumentParser
import ConcordanceServer
import Foundation

struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Create access tokens for `concord serve`.", subcommands: [Create.self])

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create a token and print it.",
      discussion: """
        The token is random. The file for `concord serve --token-file` contains only its SHA-256 hash, so the token \
        cannot be printed again. A client sends `Authorization: Bearer TOKEN`. To revoke a token, delete its line and \
        restart the server, which reads the file only when it starts.

          $ concord token create read --file tokens

        Without --file, the second line of the output is the line for the file.
        """)

    @Argument(
      help: ArgumentHelp(
        "read permits searching and reading; write also permits changing documents; admin also permits changing "
          + "collections and indexes.",
        valueName: "scope"), completion: .list(AccessScope.allCases.map(\.rawValue)),
      transform: { name in
        guard let scope = AccessScope(rawValue: name) else {
          throw ValidationError("'\(name)' is not a scope; the scopes are read, write and admin.")
        }
        return scope
      })
    var scope: AccessScope

    @Option(
      name: .shortAndLong, help: ArgumentHelp("Add the line to this file.", valueName: "file"), completion: .file())
    var file: String?

    @OptionGroup
    var global: GlobalOptions

    func run() throws {
      let (token, line) = AccessTokens.newToken(scope: scope)
      let output = StandardOutput()
      if let file { try append(line + "\n", to: file) }
      output.writeLine(token)
      if file == nil { output.writeLine(line) }
      output.flush()
    }

    private func append(_ line: String, to path: String) throws {
      // Readable only by the owner: a hash does not disclose its token, but need not be public.
      let descriptor = Foundation.open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw CommandFailure("\(path): \(String(cString: strerror(errno)))") }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      do {
        let size = try file.seekToEnd()
        if size > 0 {
          try file.seek(toOffset: size - 1)
          // An editor may have left the last line without a line break.
          if try file.read(upToCount: 1) != Data("\n".utf8) { try file.write(contentsOf: Data("\n".utf8)) }
        }
        try file.write(contentsOf: Data(line.utf8))
      } catch {
        throw CommandFailure("\(path): the token cannot be written: \(error.localizedDescription)")
      }
    }
  }
}
