package io.hapax.console.figures;

import io.hapax.console.operations.FailureTexts;
import io.hapax.console.view.Figure;
import io.hapax.console.view.ProblemRow;
import io.hapax.operations.replay.GroupStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Adds the lag and the members of a group to other figures. Asks the broker on a thread of its own,
 * so that a broker that does not answer delays a reading by one second only.
 */
public final class GroupFigures implements Figures {

  private static final long WAIT_SECONDS = 1;
  private static final long CLOSE_SECONDS = 2;

  private final Figures others;
  private final Group group;
  private final String consumer;
  private final InstantSource clock;
  private final ExecutorService thread = Executors.newSingleThreadExecutor(GroupFigures::thread);
  private Optional<Future<Optional<GroupStatus>>> asked = Optional.empty();
  private Optional<ProblemRow> problem = Optional.empty();
  private boolean closed;

  /** Reads the status of a group. For one thread. */
  public interface Group extends AutoCloseable {

    /**
     * Reads the lag and the number of members.
     *
     * @return the status; empty if it is unknown which topics the group reads
     * @throws Exception if the broker does not answer
     */
    Optional<GroupStatus> status() throws Exception;

    /** Closes the connections to the brokers. */
    @Override
    void close();
  }

  /**
   * Creates a reader.
   *
   * @param others the other figures; closed with this reader
   * @param group the group; closed with this reader
   */
  public GroupFigures(Figures others, Group group, String consumer, InstantSource clock) {
    this.others = others;
    this.group = group;
    this.consumer = consumer;
    this.clock = clock;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "hapax-console-group");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public synchronized Snapshot read() {
    Snapshot snapshot = others.read();
    Optional<GroupStatus> status = status();
    List<Figure> figures = new ArrayList<>(snapshot.figures());
    status.ifPresent(it -> {
      figures.removeIf(figure -> figure.name().equals("lag"));
      figures.addAll(0, lagAndMembers(it));
    });
    List<ProblemRow> problems = new ArrayList<>(snapshot.problems());
    problem.ifPresent(row -> {
      problems.add(row);
      figures.removeIf(figure -> figure.name().equals("problems"));
      figures.add(new Figure("problems", OptionalLong.of(problems.size()), true, true));
    });
    return new Snapshot(figures, problems);
  }

  /** Returns the lag of a group, and the number of its members. */
  static List<Figure> lagAndMembers(GroupStatus group) {
    return List.of(
        new Figure("lag", OptionalLong.of(group.lag()), true, false),
        new Figure("live", OptionalLong.of(group.members()), true, group.members() == 0));
  }

  /** Returns the answer of the broker; empty if it has not answered yet, or has failed. */
  private Optional<GroupStatus> status() {
    if (closed) {
      return Optional.empty();
    }
    Future<Optional<GroupStatus>> answer =
        asked.orElseGet(() -> thread.submit(() -> group.status()));
    asked = Optional.of(answer);
    try {
      Optional<GroupStatus> status = answer.get(WAIT_SECONDS, TimeUnit.SECONDS);
      asked = Optional.empty();
      problem = Optional.empty();
      return status;
    } catch (TimeoutException e) {
      return Optional.empty(); // the next reading waits for the same answer
    } catch (ExecutionException e) {
      asked = Optional.empty();
      Throwable why = e.getCause() == null ? e : e.getCause();
      Instant since = problem.map(ProblemRow::since).orElseGet(clock::instant);
      problem = Optional.of(new ProblemRow("BROKER", consumer, since, FailureTexts.text(why)));
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  @Override
  public Duplicates duplicates() {
    return others.duplicates();
  }

  @Override
  public OptionalLong conflicts() {
    return others.conflicts();
  }

  @Override
  public boolean standalone() {
    return others.standalone();
  }

  /**
   * Closes the connections on their thread. Waits two seconds for that: while a broker does not
   * answer, its client closes later.
   */
  @Override
  public void close() {
    others.close();
    synchronized (this) {
      closed = true;
      asked.ifPresent(it -> it.cancel(true));
      thread.execute(group::close);
      thread.shutdown();
    }
    try {
      var unused = thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
