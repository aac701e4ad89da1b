/// The options of a request, in its query string or in its JSON body.
protocol RequestOptions {
  /// Returns whether the option is given.
  func has(_ name: String) -> Bool
  func string(_ name: String) throws -> String?
  /// Returns a list; nil if it is not given. An empty list is an error, because it would be ignored.
  func list(_ name: String) throws -> [String]?
  func boolean(_ name: String, default value: Bool) throws -> Bool
  func count(_ name: String, default value: Int, limit: Int) throws -> Int
}

extension RequestInput: RequestOptions {}

extension JSONBody: RequestOptions {}
