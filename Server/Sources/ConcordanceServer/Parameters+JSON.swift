import Concordance
import JSONText

extension Concordance.Parameters {
  /// Sets a parameter to a JSON value. Objects keep keys that are canonically equivalent, which a Swift dictionary
  /// would merge.
  func set(_ value: JSONValue, forName name: String) throws {
    switch value {
    case .null: setValue(nil, forName: name)
    case .boolean(let boolean): setBoolean(boolean, forName: name)
    case .int64(let number): setInt64(number, forName: name)
    case .uint64(let number): setValue(number, forName: name)
    case .double(let number): setDouble(number, forName: name)
    case .string(let text): setString(text, forName: name)
    case .array: setArray(try MutableArrayObject(json: value.text), forName: name)
    case .object: setDictionary(try MutableDictionaryObject(json: value.text), forName: name)
    }
  }
}
