import JSONText

/// The progress of a replication. Both peers store it.
///
/// ```
/// {"time":1700000000,"local":120,"localCompleted":[0,121,130,5],"remote":"98"}
/// ```
///
/// `local` is the sequence up to which all local changes are complete. `localCompleted` is present if changes after a
/// gap are also complete; it contains the start and the length of each range of complete changes. `remote` is the
/// peer's sequence up to which all of the peer's changes are complete.
public struct Checkpoint: Hashable, Sendable {
  /// The local sequences of changes that the peer has or does not want.
  public var completed: SequenceSet
  /// The peer's sequence; nil if nothing has been pulled.
  public var remote: RemoteSequence?

  /// Creates a checkpoint; without arguments, that of a replication that has not begun.
  public init(completed: SequenceSet = SequenceSet(), remote: RemoteSequence? = nil) {
    self.completed = completed
    self.remote = remote
  }

  /// Parses JSON text.
  ///
  /// - Returns: nil if the text is not a checkpoint. The replication then starts from the beginning, which is slow but
  ///   safe.
  public init?(json: [UInt8]) {
    guard let parser = try? JSONParser(), let root = try? json.withUnsafeBytes({ try parser.parse($0) }),
      root.kind == .object
    else { return nil }
    completed = SequenceSet(through: root["local"]?.int64.flatMap { UInt64(exactly: $0) } ?? 0)
    remote = root["remote"].flatMap { RemoteSequence(JSONValue($0)) }
    guard let list = root["localCompleted"] else { return }
    guard list.kind == .array else { return nil }
    var numbers: [UInt64] = []
    var isValid = true
    list.forEachElement { element in
      guard numbers.count < 2 * SequenceSet.maximumRangeCount else { return }
      if let number = element.int64.flatMap({ UInt64(exactly: $0) }) { numbers.append(number) } else { isValid = false }
    }
    guard isValid, numbers.count % 2 == 0 else { return nil }
    for index in stride(from: 0, to: numbers.count, by: 2) {
      let (end, overflow) = numbers[index].addingReportingOverflow(numbers[index + 1])
      guard !overflow else { return nil }
      completed.insert(numbers[index]..<end)
    }
  }

  /// Returns the JSON text.
  ///
  /// - Parameter time: the system time in seconds since 1970. It is stored only for people who read the checkpoint.
  public func json(time: Int64) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { object in
      object.member("time", time)
      object.member("local", Int64(clamping: completed.completedThrough))
      if completed.ranges.count > 1 || completed.ranges.first.map({ $0.lowerBound > 0 }) ?? false {
        object.member("localCompleted") { list in
          list.array { list in
            for range in completed.ranges.prefix(SequenceSet.maximumRangeCount) {
              list.write(Int64(clamping: range.lowerBound))
              list.write(Int64(clamping: range.upperBound - range.lowerBound))
            }
          }
        }
      }
      if let remote { object.member("remote") { $0.write(rawJSON: remote.text.utf8) } }
    }
    return writer.bytes
  }

  /// Returns the checkpoint to start from if the two peers have stored different ones: the changes that are complete in
  /// both. The checkpoints differ if one database was restored from a backup, or if the connection was closed while the
  /// checkpoint was being stored.
  public func intersection(with other: Checkpoint) -> Checkpoint {
    var common = Checkpoint(completed: completed.intersection(other.completed))
    if let remote, let theirs = other.remote { common.remote = RemoteSequence.earlier(remote, theirs) }
    return common
  }
}
