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

  func contains(_ tag: String) -> Bool { tags.contains("*") || tags.contains(tag) }
}
