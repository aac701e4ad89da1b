/// A registered listener. ``remove()`` unregisters it.
///
/// The listener stays registered while the database is open, even if the token is released.
public final class ListenerToken: Sendable {
  private let onRemove: @Sendable () -> Void

  /// - Parameter onRemove: ends the listener; may be called several times, from any thread.
  init(onRemove: @escaping @Sendable () -> Void) { self.onRemove = onRemove }

  /// Unregisters the listener. It can be called in the listener, from any thread, and more than once.
  ///
  /// Afterwards no new call of the listener begins. A call that another thread has already begun may still run, because
  /// waiting for it could deadlock; there is none if this is called on the listener's own serial queue.
  public func remove() { onRemove() }
}

extension ListenerToken: Equatable, Hashable {
  /// Returns whether both are the same object.
  public static func == (one: ListenerToken, other: ListenerToken) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
