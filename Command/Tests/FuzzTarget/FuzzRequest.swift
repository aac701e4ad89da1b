import Foundation

/// A request of the fuzzer: an operation and its arguments.
struct FuzzRequest {
  let operation: String
  private let arguments: [String: Any]

  /// Reads the JSON object of a line.
  init(line: String) throws {
    guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      let operation = object["op"] as? String
    else { throw FuzzError("the request is not an object with an \"op\"") }
    self.operation = operation
    arguments = object
  }

  func string(_ name: String) throws -> String {
    guard let value = arguments[name] as? String else { throw FuzzError("the request has no string \"\(name)\"") }
    return value
  }

  func optionalString(_ name: String) -> String? { arguments[name] as? String }
  func strings(_ name: String) -> [String] { arguments[name] as? [String] ?? [] }
  func int(_ name: String, default value: Int) -> Int { arguments[name] as? Int ?? value }
  func bool(_ name: String) -> Bool { arguments[name] as? Bool ?? false }
  func objects(_ name: String) -> [[String: Any]] { arguments[name] as? [[String: Any]] ?? [] }
  func object(_ name: String) -> [String: Any] { arguments[name] as? [String: Any] ?? [:] }
}

/// An error of the fuzzer itself, as opposed to an error of the library.
struct FuzzError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
