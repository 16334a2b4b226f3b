package io.hapax.console.job;

import io.hapax.console.security.Secrets;
import io.hapax.console.view.JobView;
import io.hapax.operations.text.Text;
import io.hapax.operations.text.TextExceptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs jobs on a bounded pool of threads, and keeps the latest ones. Thread-safe. */
public final class Jobs implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);
  private static final int AT_ONCE = 2;
  private static final int WAITING = 8;
  private static final int REMEMBERED = 20;
  private static final Duration CLOSE = Duration.ofSeconds(10);

  private final InstantSource clock;
  private final Deque<Job> jobs = new ArrayDeque<>();
  private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
      AT_ONCE, AT_ONCE, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), Jobs::thread);

  public Jobs(InstantSource clock) {
    this.clock = clock;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "hapax-console-job");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Starts a job of a form on the page {@code back}. Refuses it if the queue of waiting jobs is
   * full.
   */
  public Job start(String kind, Text title, String back, Job.Work work) {
    Job job = new Job(Secrets.random().substring(0, 16), kind, title, clock.instant(), back);
    try {
      threads.execute(() -> run(job, work));
    } catch (RejectedExecutionException e) {
      throw Text.of("jobs.full").refusal();
    }
    synchronized (jobs) {
      jobs.addFirst(job);
      forgetOldest();
    }
    return job;
  }

  /**
   * Removes the oldest ended jobs. Running and waiting jobs stay in the list, so that a user can
   * stop them; their number is bounded.
   */
  private void forgetOldest() {
    Iterator<Job> oldest = jobs.descendingIterator();
    int tooMany = jobs.size() - (REMEMBERED + AT_ONCE + WAITING);
    while (tooMany > 0 && oldest.hasNext()) {
      if (oldest.next().view().state() != JobView.State.RUNNING) {
        oldest.remove();
        tooMany--;
      }
    }
  }

  private static void run(Job job, Job.Work work) {
    try {
      job.endedWith(work.run(job));
    } catch (InterruptedException e) {
      job.failed(Text.of("job.interrupted"));
    } catch (Exception e) {
      LOG.warn("job {} ({}) failed", job.id(), job.kind(), e);
      job.failed(TextExceptions.text(e));
    } catch (Error e) {
      job.failed(TextExceptions.text(e));
      throw e;
    }
  }

  /** Finds a job; empty if it is unknown or was removed. */
  public Optional<Job> find(String id) {
    return list().stream().filter(job -> job.id().equals(id)).findFirst();
  }

  /** {@return the latest jobs, newest first} */
  public List<Job> list() {
    synchronized (jobs) {
      return Collections.unmodifiableList(new ArrayList<>(jobs));
    }
  }

  /** Returns the newest job of a kind. */
  public Optional<Job> newest(String kind) {
    return list().stream().filter(job -> job.kind().equals(kind)).findFirst();
  }

  /**
   * Stops all jobs and waits for them. An interrupt between the reopening of a mark and the
   * publication of its message would leave a mark whose message nothing delivers, so only a job
   * that does not stop within ten seconds is interrupted.
   */
  @Override
  public void close() {
    list().forEach(Job::stop);
    threads.shutdown();
    try {
      if (threads.awaitTermination(CLOSE.toSeconds(), TimeUnit.SECONDS)) {
        return;
      }
      LOG.warn("jobs did not stop within {} s and are interrupted", CLOSE.toSeconds());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.shutdownNow();
  }
}
