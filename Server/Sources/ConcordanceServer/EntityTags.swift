import Foundation

/// A list of ETags: `*`, or comma-separated tags. Revisions contain no commas, so the list can be split at commas.
struct EntityTags: Sendable {
  private let tags: [String]

  init(_ header: String) {
    tags = header.split(separator: ",").map { tag in
      let text = tag.trimmingCharacters(in: .whitespaces)
      // A proxy that compresses responses turns their ETags into weak ones.
      return text.hasPrefix("W/") ? String(text.dropFirst(2)) : text
    }
  }

  /// Returns whether the list contains a tag or `*`.
  func contains(_ tag: String) -> Bool { tags.contains("*") || lists(tag) }

  /// Returns whether the list contains a tag itself.
  func lists(_ tag: String) -> Bool { tags.contains(tag) }
}
