/// The versions that a revision of a document includes: the current version and, for each other author, the last
/// version that was merged into it.
///
/// ```
/// 17f2@A                    a document that only A has changed
/// 17f9@B, 17f2@A            B changed it after A
/// 1802@C, 17f9@B, 17f5@A;   C merged the versions of B and A
/// 1803@C; 17f9@B, 17f5@A    C changed it again
/// ```
///
/// The first entry is the current version. Directly after a merge, the two merged versions and a `;` follow it. Each
/// author has one entry, except that the author of a merge may also be the author of a merged version.
///
/// Source: <https://github.com/couchbase/couchbase-lite-core>, LiteCore/RevTrees/VersionVector.cc.
public struct VersionVector: Hashable, Sendable {
  /// The current version.
  public private(set) var current: Version
  /// The two versions that the current version merged, the later one first; empty if it is not a merge.
  public private(set) var merged: [Version]
  /// The last versions by all other authors, latest first.
  public private(set) var history: [Version]

  /// The maximum number of entries. Larger vectors from peers or files are rejected.
  public static let maximumCount = 10_000

  /// Creates the vector of a new document.
  public init(_ current: Version) {
    self.current = current
    merged = []
    history = []
  }

  /// Creates a vector from its entries.
  ///
  /// - Throws: ``VersionError/tooLong``, ``VersionError/repeatedAuthor``.
  public init(current: Version, merged: [Version] = [], history: [Version] = []) throws(VersionError) {
    self.current = current
    self.merged = merged
    self.history = history
    guard 1 + merged.count + history.count <= VersionVector.maximumCount else { throw .tooLong }
    if merged.isEmpty, history.isEmpty { return }
    // Only the current version and a version that it merged may have the same author.
    let authors = Set(merged.map(\.author) + history.map(\.author))
    guard authors.count == merged.count + history.count, !history.contains(where: { $0.author == current.author })
    else {
      throw .repeatedAuthor
    }
  }

  /// All entries, the current version first.
  public var entries: [Version] { [current] + merged + history }

  /// Returns the time of an author's last version that the vector includes; 0 if there is none.
  public func time(of author: SourceID?) -> UInt64 {
    if current.author == author { return current.time }
    return (merged.first { $0.author == author } ?? history.first { $0.author == author })?.time ?? 0
  }

  /// Returns whether the vector includes a version.
  ///
  /// Of two versions that were converted from revision ids of the same generation, neither includes the other.
  public func includes(_ version: Version) -> Bool {
    let known = time(of: version.author)
    guard known > version.time, version.author == .revisionTree else { return known >= version.time }
    return !(Version(time: known, author: version.author)?.isBranch(of: version) ?? false)
  }
}

// MARK: - Comparing

extension VersionVector {
  /// The relation of one vector to another.
  public enum Order: Hashable, Sendable {
    /// Both have the same current version.
    case same
    /// The first is an ancestor of the second.
    case older
    /// The second is an ancestor of the first.
    case newer
    /// Neither includes the other.
    case conflicting
  }

  /// Compares this vector with another one.
  public func compare(with other: VersionVector) -> Order {
    if current == other.current { return .same }
    let (includesOther, isIncluded) = (includes(other.current), other.includes(current))
    // Both can be true only if a vector is damaged: a new version is later than all versions that it includes.
    if includesOther, isIncluded { return current.time >= other.current.time ? .newer : .older }
    if includesOther { return .newer }
    return isIncluded ? .older : .conflicting
  }
}

// MARK: - Changing

extension VersionVector {
  /// Returns the vector of a new revision of the document.
  ///
  /// - Parameter version: a version whose time is later than all times in the vector.
  public func adding(_ version: Version) -> VersionVector {
    VersionVector(version, history: VersionVector.latest(entries).filter { $0.author != version.author })
  }

  /// Returns the vector of a new revision that merges this revision with a conflicting one.
  ///
  /// - Parameter version: a version whose time is later than all times in both vectors.
  public func merging(_ other: VersionVector, as version: Version) -> VersionVector {
    var vector = VersionVector(version)
    let latest = VersionVector.latest(entries + other.entries)
    // If a merged version is a converted revision id, a version that includes it can have replaced it.
    if latest.contains(current), latest.contains(other.current) {
      vector.merged = [current, other.current].sortedByTime
    }
    let known = Set(vector.merged.map(\.author) + [version.author])
    vector.history = latest.filter { !known.contains($0.author) }
    return vector
  }

  /// Returns the vector after a conflict that this revision wins unchanged. The current version is kept, so the result
  /// is not a new revision. Versions merged by an earlier merge become part of the history.
  ///
  /// If both current versions were converted from revision ids, the result does not include the other one; create a new
  /// revision with ``merging(_:as:)`` instead.
  public func winning(over other: VersionVector) -> VersionVector {
    VersionVector(
      current, history: VersionVector.latest(entries + other.entries).filter { $0.author != current.author })
  }

  /// Returns the vector reduced to at most `count` entries. The latest entries are kept; the current version and the
  /// versions that it merged are always kept.
  public func pruned(to count: Int) -> VersionVector {
    var vector = self
    vector.history = Array(history.prefix(max(0, count - 1 - merged.count)))
    return vector
  }

  private init(_ current: Version, history: [Version]) {
    self.current = current
    merged = []
    self.history = history.sortedByTime
  }

  /// Returns the last version by each author, latest first. Two converted revision ids of the same generation are
  /// replaced by a version that includes both.
  private static func latest(_ versions: [Version]) -> [Version] {
    var latest: [SourceID?: Version] = [:]
    for version in versions {
      guard let known = latest[version.author] else {
        latest[version.author] = version
        continue
      }
      if version.isBranch(of: known) {
        latest[version.author] = version.nextGeneration
      } else if version.time > known.time {
        latest[version.author] = version
      }
    }
    return Array(latest.values).sortedByTime
  }
}

extension [Version] {
  /// The versions sorted by time, latest first. Versions with equal times are sorted by author.
  fileprivate var sortedByTime: [Version] {
    sorted { one, other in
      guard one.time == other.time else { return one.time > other.time }
      guard let author = other.author else { return false }
      return one.author.map { $0 < author } ?? true
    }
  }
}
