import JSONText
public import VersionVectors

/// An entry of a `changes` message: a revision that a peer offers, and sends if the receiver requests it.
///
/// ```
/// [sequence, docID, revID, deleted?, size?]
/// ```
public struct RemoteChange: Hashable, Sendable {
  public let sequence: RemoteSequence
  public let id: String
  public let version: Version
  public let flags: Flags
  /// The estimated size of the body in bytes.
  public let size: Int

  /// The kinds of changes.
  public struct Flags: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let deleted = Flags(rawValue: 1)
    /// The user may no longer read the document.
    public static let accessRevoked = Flags(rawValue: 2)
    /// The document was removed from the channel.
    public static let removed = Flags(rawValue: 4)

    /// Whether the receiver must purge the document. If false, the entry is an ordinary revision.
    public var isRemoval: Bool { contains(.accessRevoked) || contains(.removed) && !contains(.deleted) }
  }

  /// Creates an entry.
  public init(sequence: RemoteSequence, id: String, version: Version, flags: Flags = [], size: Int = 0) {
    self.sequence = sequence
    self.id = id
    self.version = version
    self.flags = flags
    self.size = size
  }
}

/// The bodies of a `changes` message and its response.
public enum RemoteChanges {
  /// The maximum number of entries in a message. A message with more entries is malformed.
  public static let maximumCount = 10_000

  /// The receiver's response to an entry.
  public enum Response: Hashable, Sendable {
    /// `0` or `null`: the revision is not wanted.
    case unwanted
    /// An array: the revision is wanted. `known` lists the revisions of the document that the receiver has.
    case wanted(known: [String])
    /// Any other number: the receiver rejects the revision with this status.
    case refused(Int)
  }

  /// Returns the body of the message. An empty list means that there are currently no more changes.
  public static func body(_ changes: [RemoteChange]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array { list in
      for change in changes {
        list.array { entry in
          entry.write(rawJSON: change.sequence.text.utf8)
          entry.write(change.id)
          entry.write(change.version.text())
          entry.write(Int64(change.flags.rawValue))
          entry.write(Int64(change.size))
        }
      }
    }
    return writer.bytes
  }

  /// Parses the body of the message.
  ///
  /// - Throws: ``ReplicationError/malformedMessage(_:)``.
  public static func parse(_ body: [UInt8]) throws(ReplicationError) -> [RemoteChange] {
    var changes: [RemoteChange] = []
    for entry in try MessageBody.entries(body, of: "changes", maximumCount: maximumCount) {
      guard (3...5).contains(entry.count), let sequence = RemoteSequence(entry[0]), let id = entry[1].string,
        (1...255).contains(id.utf8.count), let version = entry[2].string.flatMap(MessageBody.version)
      else { throw .malformedMessage("an entry of changes") }
      // Couchbase Lite writes the flags as a number or as a Boolean.
      let flags = entry.count > 3 ? entry[3].integer ?? (entry[3] == .boolean(true) ? 1 : 0) : 0
      let size = entry.count > 4 ? entry[4].integer.map { Int(clamping: max(0, $0)) } ?? 0 : 0
      changes.append(
        RemoteChange(
          sequence: sequence, id: id, version: version, flags: RemoteChange.Flags(rawValue: Int(clamping: flags)),
          size: size))
    }
    return changes
  }

  /// Returns the body of the response. Trailing entries that are unwanted are omitted.
  public static func responseBody(_ responses: [Response]) -> [UInt8] {
    var writer = JSONWriter()
    let end = (responses.lastIndex { $0 != .unwanted }).map { $0 + 1 } ?? 0
    writer.array { list in
      for response in responses[..<end] {
        switch response {
        case .unwanted: list.write(0 as Int64)
        case .refused(let code): list.write(Int64(code))
        case .wanted(let known): list.array { list in known.forEach { list.write($0) } }
        }
      }
    }
    return writer.bytes
  }

  /// Parses the body of the response.
  ///
  /// - Parameter count: the number of changes. Entries missing at the end are unwanted.
  /// - Throws: ``ReplicationError/malformedMessage(_:)``.
  public static func parseResponse(_ body: [UInt8], count: Int) throws(ReplicationError) -> [Response] {
    guard case .array(let items) = try MessageBody.value(body), items.count <= count else {
      throw .malformedMessage("the response to changes")
    }
    var responses: [Response] = []
    for item in items {
      switch item {
      case .null, .int64(0): responses.append(.unwanted)
      case .array(let known): responses.append(.wanted(known: known.compactMap(\.string)))
      default:
        guard let code = item.integer else { throw .malformedMessage("the response to changes") }
        responses.append(.refused(Int(clamping: code)))
      }
    }
    return responses + [Response](repeating: .unwanted, count: count - responses.count)
  }
}
