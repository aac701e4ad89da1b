import Foundation

/// The definition of a text index, stored in the catalog as JSON.
package protocol IndexDefinition: Codable {}

extension IndexDefinition {
  /// The definition as JSON text. Equal definitions have the same text.
  package var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  /// Reads a definition from JSON text.
  package init(json: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
  }
}
