package io.hapax.console.figures;

import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.StoreLimit;
import io.hapax.console.view.Figure;
import io.hapax.console.view.ProblemRow;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.replay.GroupStatus;
import io.hapax.operations.text.Text;
import io.hapax.operations.text.TextExceptions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * so that a reading waits for it for three seconds at most.
 */
public final class GroupFigures implements Figures {

  private static final long CLOSE_SECONDS = 2;

  private final Figures others;
  private final Group group;
  private final String consumer;
  private final InstantSource clock;
  private final ExecutorService thread = Executors.newSingleThreadExecutor(GroupFigures::thread);
  private Optional<Asked> asked = Optional.empty();
  private Optional<ProblemRow> problem = Optional.empty();
  private Instant answered;
  private boolean closed;

  /** A question that the broker has not answered. */
  private record Asked(Future<Optional<GroupStatus>> answer, long begin) {}

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
    this.answered = clock.instant();
  }

  /** Returns the figures of a store, with those of its group if the deployment has one. */
  public static Figures of(Deployment deployment, InstantSource clock) {
    Figures store = new StoreFigures(deployment, clock);
    return deployment.broker().isEmpty()
            || deployment.group().isEmpty()
            || deployment.topic().isEmpty()
        ? store
        : new GroupFigures(store, new DeployedGroup(deployment), deployment.consumer(), clock);
  }

  /** The group of a deployment. Connects at the first reading. */
  private static final class DeployedGroup implements Group {

    private final Deployment deployment;
    private Optional<GroupReplay> group = Optional.empty();

    DeployedGroup(Deployment deployment) {
      this.deployment = deployment;
    }

    @Override
    public Optional<GroupStatus> status() throws Exception {
      if (group.isEmpty()) {
        group = Optional.of(deployment.requireBroker().replay(deployment.group()));
      }
      return Optional.of(group.get().status(deployment.topic()));
    }

    @Override
    public void close() {
      group.ifPresent(GroupReplay::close);
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "hapax-console-group");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public synchronized Snapshot read() {
    ask();
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
      if (figures.removeIf(figure -> figure.name().equals("problems"))) {
        figures.add(new Figure("problems", OptionalLong.of(problems.size()), true, true));
      }
    });
    Map<String, Instant> all = new HashMap<>(snapshot.answered());
    all.put("BROKER", answered);
    return new Snapshot(figures, problems, all);
  }

  /** Returns the lag of a group, and the number of its members. */
  static List<Figure> lagAndMembers(GroupStatus group) {
    return List.of(
        new Figure("lag", OptionalLong.of(group.lag()), true, false),
        new Figure("live", OptionalLong.of(group.members()), true, group.members() == 0));
  }

  private void ask() {
    if (asked.isEmpty() && !closed) {
      asked = Optional.of(new Asked(thread.submit(() -> group.status()), System.nanoTime()));
    }
  }

  /** Returns the answer of the broker; empty if it has not answered yet, or has failed. */
  private Optional<GroupStatus> status() {
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    try {
      long left = asked.get().begin() + StoreLimit.LIMIT.toNanos() - System.nanoTime();
      Optional<GroupStatus> status =
          asked.get().answer().get(Math.max(0, left), TimeUnit.NANOSECONDS);
      asked = Optional.empty();
      problem = Optional.empty();
      answered = clock.instant();
      return status;
    } catch (TimeoutException e) { // a later reading waits for the same answer
      return failed(Text.of("no-answer", StoreLimit.LIMIT));
    } catch (ExecutionException e) {
      asked = Optional.empty();
      return failed(TextExceptions.text(e.getCause() == null ? e : e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private Optional<GroupStatus> failed(Text why) {
    Instant since = problem.map(ProblemRow::since).orElseGet(clock::instant);
    problem = Optional.of(new ProblemRow("BROKER", consumer, since, why));
    return Optional.empty();
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
      if (closed) {
        return;
      }
      closed = true;
      asked.ifPresent(it -> it.answer().cancel(true));
      asked = Optional.empty();
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
