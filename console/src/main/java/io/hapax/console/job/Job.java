package io.hapax.console.job;

import io.hapax.console.operations.ReportJson;
import io.hapax.console.view.JobView;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.AuditProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A background task with its progress, its result and a request to stop it. Thread-safe. */
public final class Job implements AuditProgress {

  private static final Logger LOG = LoggerFactory.getLogger(Job.class);

  /** The task of a job. */
  @FunctionalInterface
  public interface Work {

    /** Runs the task on its own thread. The job receives the progress, and says when to stop. */
    Result run(Job job) throws Exception;
  }

  /**
   * The result of a job.
   *
   * @param confirm the secret that executes the plan of this dry run; empty if there is nothing to
   *     execute
   */
  public record Result(Text text, ReportJson json, Optional<String> confirm) {}

  private final String id;
  private final String kind;
  private final Text title;
  private final Instant started;
  private final String back;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  /** Completed before {@code ended}: its dependents are the listeners. */
  private final CompletableFuture<Job> settled = new CompletableFuture<>();

  private final List<String> published = new ArrayList<>();
  private volatile long done;
  private volatile long all = -1;
  private volatile JobView.State state = JobView.State.RUNNING;
  private volatile Text error = Text.NONE;
  private volatile Optional<Result> result = Optional.empty();

  Job(String id, String kind, Text title, Instant started, String back) {
    this.id = id;
    this.kind = kind;
    this.title = title;
    this.started = started;
    this.back = back;
  }

  /** {@return the id, as used in addresses} */
  public String id() {
    return id;
  }

  /** {@return the kind of the task: audit, replay or redrive} */
  public String kind() {
    return kind;
  }

  @Override
  public void at(long newDone, long newAll) {
    if (isStopped()) {
      throw new CancellationException("the job was stopped");
    }
    reached(newDone, newAll);
  }

  /**
   * Reports progress; the number of all messages is negative if unknown. Unlike {@link #at}, this
   * method does not throw if the job should stop.
   */
  public void reached(long newDone, long newAll) {
    done = newDone;
    all = newAll;
  }

  /** Requests a stop. */
  public void stop() {
    stop.countDown();
  }

  /** Waits for the given time, or until a stop is requested. */
  public boolean stopsWithin(Duration wait) throws InterruptedException {
    return stop.await(wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** {@return whether a stop was requested} */
  public boolean isStopped() {
    return stop.getCount() == 0;
  }

  /** Waits for the end of the job and of the listeners that were registered before. */
  public boolean endsWithin(Duration wait) throws InterruptedException {
    return ended.await(wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  void endedWith(Result what) {
    result = Optional.of(what);
    end(isStopped() ? JobView.State.STOPPED : JobView.State.ENDED, Text.NONE);
  }

  void failed(Text why) {
    end(isStopped() ? JobView.State.STOPPED : JobView.State.FAILED, why);
  }

  /** Calls the listeners first, so that who has waited for the end finds what they have done. */
  private void end(JobView.State how, Text why) {
    error = why;
    state = how;
    settled.complete(this);
    ended.countDown();
  }

  /** Adds the id of a published message, for the action log. */
  public void published(String message) {
    synchronized (published) {
      published.add(message);
    }
  }

  /** Removes and returns the ids of the published messages, in the format of --message. */
  public List<String> takePublished() {
    synchronized (published) {
      List<String> taken = List.copyOf(published);
      published.clear();
      return taken;
    }
  }

  /**
   * Registers a listener for the end of the job. If the job has ended, calls the listener at once.
   * An exception of the listener does not change the result of the job.
   */
  public void whenEnded(Consumer<Job> listener) {
    var unused = settled.thenAccept(listener).exceptionally(failure -> {
      LOG.error("a listener failed at the end of job {} ({})", id, kind, failure);
      return null;
    });
  }

  /** {@return the result; empty while the job runs, or if it failed} */
  public Optional<Result> result() {
    return result;
  }

  /** {@return the data of the page} */
  public JobView view() {
    Optional<Result> found = result;
    return new JobView(
        id,
        kind,
        title,
        state,
        done,
        all < 0 ? OptionalLong.empty() : OptionalLong.of(all),
        started,
        found.map(Result::text).orElse(Text.NONE),
        error,
        found.flatMap(Result::confirm),
        back);
  }
}
