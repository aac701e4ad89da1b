import ArgumentParser
import Foundation
import Testing

@testable import concord

/// The declarations of all arguments. ArgumentParser would check them in every process of a debug build; see
/// Scripts/swiftc.sh.
@Suite struct OptionDeclarationTests {
  private struct Help: Decodable {
    var command: Command
  }

  struct Command: Decodable {
    var commandName: String
    var arguments: [Argument]?
    var subcommands: [Command]?
  }

  struct Argument: Decodable {
    struct Name: Decodable, Hashable {
      var kind: String
      var name: String
    }

    var kind: String
    var isRepeating: Bool
    var names: [Name]?
  }

  private static func commands() throws -> [Command] {
    func all(_ command: Command) -> [Command] { [command] + (command.subcommands ?? []).flatMap(all) }
    return all(try JSONDecoder().decode(Help.self, from: Data(Concord._dumpHelp().utf8)).command)
  }

  @Test func allCommandsAreChecked() throws {
    let commands = try OptionDeclarationTests.commands()
    #expect(commands.count > 35)
    #expect(commands.allSatisfy { $0.arguments?.isEmpty == false })
  }

  @Test func everyNameBelongsToOneOption() throws {
    for command in try OptionDeclarationTests.commands() {
      let names = (command.arguments ?? []).flatMap { Set($0.names ?? []) }
      let counts = names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      #expect(counts.filter { $0.value > 1 }.isEmpty, "\(command.commandName)")
    }
  }

  /// A repeated positional argument takes all that follow.
  @Test func repeatedPositionalArgumentIsTheLast() throws {
    for command in try OptionDeclarationTests.commands() {
      let positional = (command.arguments ?? []).filter { $0.kind == "positional" }
      #expect(!positional.dropLast().contains { $0.isRepeating }, "\(command.commandName)")
    }
  }
}
