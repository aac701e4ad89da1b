import Foundation

/// Runs tasks on a dispatch queue instead of the cooperative thread pool.
final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "concordance.tasks")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
