/// A listener that was added, to remove it by.
///
/// The listener stays as long as the database is open, whether or not the token is kept.
public final class ListenerToken: Sendable {
  private let onRemove: @Sendable () -> Void

  /// - Parameter onRemove: ends the listener; may be called several times, from any thread.
  init(onRemove: @escaping @Sendable () -> Void) { self.onRemove = onRemove }

  /// Removes the listener.
  ///
  /// After this has returned, the listener is not called any more. A call that another thread has set out to make by then may
  /// still come, since waiting for it could wait for ever; there is none where this is called on the listener's own serial
  /// queue. It may be called inside the listener, from any thread, and again.
  public func remove() { onRemove() }
}

extension ListenerToken: Equatable, Hashable {
  /// Whether both are the same object.
  public static func == (one: ListenerToken, other: ListenerToken) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
