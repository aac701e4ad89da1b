import Foundation

/// Runs tasks on a queue instead of the threads that all tasks share.
final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "concordance.tasks")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
