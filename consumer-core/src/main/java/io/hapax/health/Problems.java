package io.hapax.health;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Keeps the present problems of a receiver or an adapter. A problem is known by its kind and an id.
 * Raised again, it keeps the moment at which it began and takes the new text. Thread-safe.
 */
public final class Problems {

  /** The most problems that are listed: with a broken dead-letter topic each message has one. */
  public static final int LIMIT = 20;

  private static final Comparator<Problem> ORDER = Comparator.comparing(Problem::kind)
      .thenComparing(Problem::since)
      .thenComparing(Problem::subject);

  /**
   * A problem that was found, without the moment at which it began.
   *
   * @param kind its kind
   * @param subject what has it; empty for the whole consumer
   * @param text the problem, for people
   */
  public record Found(Problem.Kind kind, String subject, String text) {}

  private record Source(Problem.Kind kind, String id) {}

  private final InstantSource clock;
  private final Map<Source, Problem> present = new HashMap<>();

  /**
   * Creates an empty set of problems.
   *
   * @param clock says when a problem begins
   */
  public Problems(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Raises a problem that is known by its subject.
   *
   * @param kind its kind
   * @param subject what has it; empty for the whole consumer
   * @param text the problem, for people
   * @return whether it is new
   */
  public boolean raise(Problem.Kind kind, String subject, String text) {
    return raise(kind, subject, subject, text);
  }

  /**
   * Raises a problem whose subject does not identify it, for example because its text is shortened.
   *
   * @param kind its kind
   * @param id identifies it among the problems of its kind
   * @param subject what has it; empty for the whole consumer
   * @param text the problem, for people
   * @return whether it is new
   */
  public synchronized boolean raise(Problem.Kind kind, String id, String subject, String text) {
    Source source = new Source(kind, id);
    Problem before = present.get(source);
    Instant since = before == null ? clock.instant() : before.since();
    present.put(source, new Problem(kind, subject, since, text));
    return before == null;
  }

  /**
   * Clears a problem.
   *
   * @param kind its kind
   * @param id its id; for one that was raised without an id, its subject
   * @return whether it was present
   */
  public synchronized boolean clear(Problem.Kind kind, String id) {
    return present.remove(new Source(kind, id)) != null;
  }

  /**
   * Replaces all problems, for an adapter that finds them anew each time it looks. One that was
   * present and was found again keeps the moment at which it began.
   *
   * @param found all problems that there are now
   */
  public synchronized void replaceAll(Collection<Found> found) {
    if (found.isEmpty()) {
      present.clear();
      return;
    }
    Set<Source> kept = new HashSet<>();
    found.forEach(it -> kept.add(new Source(it.kind(), it.subject())));
    present.keySet().retainAll(kept);
    found.forEach(it -> raise(it.kind(), it.subject(), it.text()));
  }

  /**
   * {@return whether a problem is present: it was raised and not cleared}
   *
   * @param kind its kind
   * @param id its id or subject
   */
  public synchronized boolean has(Problem.Kind kind, String id) {
    return present.containsKey(new Source(kind, id));
  }

  /**
   * {@return the present problems, by kind, the oldest of each kind first: at most {@link #LIMIT}
   * problems; if there are more, one further problem says how many} It has the kind of the first
   * one that is left out.
   */
  public List<Problem> list() {
    List<Problem> all;
    synchronized (this) {
      all = new ArrayList<>(present.values());
    }
    all.sort(ORDER);
    if (all.size() <= LIMIT) {
      return List.copyOf(all);
    }
    List<Problem> listed = new ArrayList<>(all.subList(0, LIMIT));
    Problem next = all.get(LIMIT);
    String more = "and " + (all.size() - LIMIT) + " more, which the log names";
    listed.add(new Problem(next.kind(), "", next.since(), more));
    return List.copyOf(listed);
  }

  /**
   * {@return all problems of the lists of an adapter and its receiver, by kind}
   *
   * @param first a list
   * @param second another one
   */
  public static List<Problem> join(List<Problem> first, List<Problem> second) {
    return Stream.concat(first.stream(), second.stream())
        .sorted(Comparator.comparing(Problem::kind))
        .toList();
  }
}
