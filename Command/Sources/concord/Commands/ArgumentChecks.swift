import Foundation

/// Checks of the command line for what the parser would interpret differently from what the user means.
enum ArgumentChecks {
  /// Throws if an argument is not UTF-8. `CommandLine.arguments` contains U+FFFD in its place, which is another pattern
  /// or path.
  ///
  /// Paths of existing files are excepted: the command reports such a file as missing and processes the others.
  static func checkEncoding() throws {
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      let bytes = UnsafeRawBufferPointer(start: argument, count: strlen(argument))
      guard let offset = invalidOffset(in: bytes) else { continue }
      var status = stat()
      if lstat(argument, &status) == 0, isPath(at: index, of: CommandLine.arguments) { continue }
      let byte = String(bytes[offset], radix: 16, uppercase: true)
      throw CommandFailure("argument \(index) is not UTF-8: it contains the byte 0x\(byte) at offset \(offset)")
    }
  }

  /// Returns whether an argument that names an existing file is a path that the command reads, not a query, a pattern
  /// or the value of an option.
  static func isPath(at index: Int, of arguments: [String]) -> Bool {
    let earlier = Array(arguments[..<index].dropFirst())
    guard let position = RepeatedCollections.commandIndex(in: earlier) else { return false }
    let rest = earlier[(position + 1)...]
    switch earlier[position] {
    case "index", "import", "get", "cat", "open": return !mayTakeValue(rest)
    case "grep": return GrepArguments.isPathNext(after: rest)
    default: return false
    }
  }

  /// Options without a value of the commands that read paths, except `grep`. Other options may have one.
  private static let flags: Set<String> = [
    "-q", "--quiet", "-v", "--verbose", "-qv", "-vq", "--json", "--pretty", "--print", "--watch", "--hidden",
    "--no-ignore", "--no-patterns", "--replace", "--skip", "--fail", "--code", "--no-code",
  ]

  /// Returns whether the last of the arguments after the name of a command may be an option whose value comes next.
  private static func mayTakeValue(_ arguments: ArraySlice<String>) -> Bool {
    guard let last = arguments.last, last.hasPrefix("-"), last != "-" else { return false }
    return !arguments.contains("--") && !flags.contains(last)
  }

  /// Returns the offset of the first byte that is not part of valid UTF-8; nil if there is none.
  static func invalidOffset(in bytes: some Sequence<UInt8>) -> Int? {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }

  /// Returns the arguments if no long option has an empty value after `=`, as in `--where=`. The parser would take the
  /// next argument as the value.
  static func checkedValues(_ arguments: [String]) throws -> [String] {
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") && argument.hasSuffix("=") {
      let option = argument.dropLast()
      guard option.count > 2, option.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else { continue }
      throw CommandFailure("\(argument) has no value; an empty value is written as \(option) ''")
    }
    return arguments
  }
}
