/// A token for a registered listener. ``remove()`` removes the listener.
///
/// ```swift
/// let token = hotels.addChangeListener { change in print(change.documentIDs) }
/// token.remove()
/// ```
///
/// Releasing the token does not remove the listener: it stays registered while the database is open.
public final class ListenerToken: Sendable {
  private let onRemove: @Sendable () -> Void

  /// - Parameter onRemove: removes the listener. It may be called several times, from any thread.
  init(onRemove: @escaping @Sendable () -> Void) { self.onRemove = onRemove }

  /// Removes the listener. It can be called from any thread, inside the listener, and more than once.
  ///
  /// No new call to the listener begins afterwards. A call that has already begun on another thread may still be
  /// running, because waiting for it could deadlock. This cannot happen if `remove()` is called on the serial queue of
  /// the listener.
  public func remove() { onRemove() }
}

extension ListenerToken: Equatable, Hashable {
  /// Returns whether both are the same object.
  public static func == (one: ListenerToken, other: ListenerToken) -> Bool { one === other }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
