import JSONText
public import VersionVectors

/// An entry of a `proposeChanges` message: a revision that a peer wants to push.
///
/// ```
/// [docID, revID, serverRevID?, size?]
/// ```
public struct ProposedChange: Hashable, Sendable {
  public let id: String
  /// The current version of the revision.
  public let version: Version
  /// The version that the sender believes the receiver has; nil for none.
  public let known: Version?
  /// The estimated size of the body in bytes.
  public let size: Int

  /// Creates an entry.
  public init(id: String, version: Version, known: Version?, size: Int) {
    self.id = id
    self.version = version
    self.known = known
    self.size = size
  }

  /// The receiver's status for an entry.
  public enum Status: Hashable, Sendable {
    /// 0: the revision is wanted.
    case wanted
    /// 304: the receiver already has it.
    case exists
    /// 409: the receiver has a revision that the sender does not have. `current` is its version, if the receiver
    /// returned it.
    case conflict(current: Version?)
    /// Any other code: the receiver rejects the revision.
    case refused(Int)

    /// The code in the response.
    public var code: Int {
      switch self {
      case .wanted: 0
      case .exists: 304
      case .conflict: 409
      case .refused(let code): code
      }
    }

    /// Creates a status from its code.
    public init(code: Int) {
      switch code {
      case 0: self = .wanted
      case 304: self = .exists
      case 409: self = .conflict(current: nil)
      default: self = .refused(code)
      }
    }
  }

  /// Returns a receiver's response to this proposal.
  ///
  /// - Parameters:
  ///   - stored: the vector of the stored revision; nil if there is none.
  ///   - isDeleted: whether the stored revision is a tombstone.
  public func status(stored: VersionVector?, isDeleted: Bool) -> Status {
    guard let stored else { return .wanted }
    if stored.includes(version) { return .exists }
    if let known, stored.current == known { return .wanted }
    return known == nil && isDeleted ? .wanted : .conflict(current: stored.current)
  }
}

/// The bodies of a `proposeChanges` message and of its response.
public enum ProposedChanges {
  /// The maximum number of entries in a message. A message with more entries is malformed.
  public static let maximumCount = 10_000

  /// Returns the body of the message.
  public static func body(_ changes: [ProposedChange]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { list in
      for change in changes {
        list.array { entry in
          entry.write(change.id)
          entry.write(change.version.text())
          entry.write(change.known?.text() ?? "")
          entry.write(Int64(change.size))
        }
      }
    }
    return writer.bytes
  }

  /// Parses the body of the message.
  ///
  /// - Throws: ``ReplicationError/malformedMessage(_:)``.
  public static func parse(_ body: [UInt8]) throws(ReplicationError) -> [ProposedChange] {
    var changes: [ProposedChange] = []
    for entry in try MessageBody.entries(body, of: "proposeChanges", maximumCount: maximumCount) {
      guard (2...4).contains(entry.count), let id = entry[0].string, (1...255).contains(id.utf8.count),
        let version = entry[1].string.flatMap(MessageBody.version)
      else { throw .malformedMessage("an entry of proposeChanges") }
      var known: Version?
      if entry.count > 2, let text = entry[2].string, !text.isEmpty {
        guard let parsed = MessageBody.version(text) else { throw .malformedMessage("an entry of proposeChanges") }
        known = parsed
      }
      let size = entry.count > 3 ? entry[3].integer.map { Int(clamping: max(0, $0)) } ?? 0 : 0
      changes.append(ProposedChange(id: id, version: version, known: known, size: size))
    }
    return changes
  }

  /// Returns the body of the response. Trailing entries that are wanted are omitted.
  ///
  /// - Parameter includesVersions: whether an entry for a conflict is an object with the receiver's version.
  public static func responseBody(
    _ statuses: [ProposedChange.Status], includesVersions: Bool = false
  ) -> [UInt8] {
    var writer = JSONWriter()
    let end = (statuses.lastIndex { $0 != .wanted }).map { $0 + 1 } ?? 0
    writer.array { list in
      for status in statuses[..<end] {
        guard includesVersions, case .conflict(let current?) = status else {
          list.write(Int64(status.code))
          continue
        }
        list.object { entry in
          entry.member("status", 409)
          entry.member("rev", current.text())
        }
      }
    }
    return writer.bytes
  }

  /// Parses the body of the response, whose entries are codes or objects with a `status`.
  ///
  /// - Parameter count: the number of proposed changes. Entries missing at the end are wanted.
  /// - Throws: ``ReplicationError/malformedMessage(_:)``.
  public static func parseResponse(_ body: [UInt8], count: Int) throws(ReplicationError) -> [ProposedChange.Status] {
    guard case .array(let items) = try MessageBody.value(body), items.count <= count else {
      throw .malformedMessage("the response to proposeChanges")
    }
    var statuses: [ProposedChange.Status] = []
    for item in items {
      guard let code = item.integer ?? item["status"]?.integer else {
        throw .malformedMessage("the response to proposeChanges")
      }
      let status = ProposedChange.Status(code: Int(clamping: code))
      if case .conflict = status, let current = item["rev"]?.string.flatMap(MessageBody.version) {
        statuses.append(.conflict(current: current))
      } else {
        statuses.append(status)
      }
    }
    return statuses + [ProposedChange.Status](repeating: .wanted, count: count - statuses.count)
  }
}
