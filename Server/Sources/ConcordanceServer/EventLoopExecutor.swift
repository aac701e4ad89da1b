import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Runs tasks on the thread of an event loop.
///
/// With this executor, a connection's tasks run on the thread that reads and writes its bytes. On Swift's cooperative
/// thread pool, a request would wake other threads six times instead of twice, which takes longer than most searches.
final class EventLoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  private init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// The executors of all event loops. They are never released because tasks do not retain their executors.
  private static let executors = Mutex<[ObjectIdentifier: EventLoopExecutor]>([:])

  /// Returns the executor of an event loop.
  static func of(_ loop: any EventLoop) -> EventLoopExecutor {
    executors.withLock { executors in
      let key = ObjectIdentifier(loop)
      if let known = executors[key] { return known }
      let executor = EventLoopExecutor(loop)
      executors[key] = executor
      return executor
    }
  }
}

/// A channel whose connections are handled on their event loops.
struct EventLoopChannel<Base: ServerChildChannel>: ServerChildChannel {
  private let base: Base

  init(_ base: Base) { self.base = base }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    base.setup(channel: channel, logger: logger)
  }

  func handle(value: Base.Value, logger: Logger) async {
    await withTaskExecutorPreference(EventLoopExecutor.of(value.channel.eventLoop)) {
      await base.handle(value: value, logger: logger)
    }
  }
}
