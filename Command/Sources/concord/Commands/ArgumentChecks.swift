import Foundation

/// Checks of the command line for what the parser would interpret differently from what the user means.
enum ArgumentChecks {
  /// Throws if an argument is not UTF-8. `CommandLine.arguments` would contain U+FFFD in its place, which is another
  /// pattern or path.
  static func checkEncoding() throws {
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      let bytes = UnsafeRawBufferPointer(start: argument, count: strlen(argument))
      guard let offset = invalidOffset(in: bytes) else { continue }
      let byte = String(bytes[offset], radix: 16, uppercase: true)
      throw CommandFailure("argument \(index) is not UTF-8: it contains the byte 0x\(byte) at offset \(offset)")
    }
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
      guard option.count > 2, option.allSatisfy({ $0.isLetter || $0 == "-" }) else { continue }
      throw CommandFailure("\(argument) has no value; an empty value is written as \(option) ''")
    }
    return arguments
  }
}
