package io.hapax.internal.store;

import io.hapax.StaleMarkSettings;
import io.hapax.StaleMarks;
import io.hapax.health.Problem;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.runtime.FailStop;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.store.MarkAdmin;
import io.hapax.store.MarkQuery;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the stale marks of a consumer at an interval, page by page up to a limit. It changes
 * nothing: only the next delivery of a message takes over its stale mark.
 */
public final class StaleMarkCounter {

  private static final Logger LOG = LoggerFactory.getLogger(StaleMarkCounter.class);

  private static final Comparator<Mark> FIRST_CLAIMED = Comparator.comparing(Mark::claimedAt);

  private record Count(int found, boolean complete, Optional<Mark> oldest) {}

  private final GenerationWatch generation;
  private final Environment env;
  private final Events events;
  private final MarkAdmin store;
  private final StaleMarkSettings settings;
  private volatile @Nullable StaleMarks latest;

  /** The mark that was logged last, so that each is logged once. */
  private volatile Optional<MessageKey> oldestLogged = Optional.empty();

  public StaleMarkCounter(
      MarkAdmin store,
      StaleMarkSettings settings,
      GenerationWatch generation,
      Environment env,
      Events events) {
    this.generation = generation;
    this.env = env;
    this.events = events;
    this.store = store;
    this.settings = settings;
  }

  public void start() {
    env.call(this::poll);
  }

  public Optional<StaleMarks> latest() {
    return Optional.ofNullable(latest);
  }

  private void poll() {
    try {
      Count stale = count(MarkQuery.Kind.STALE);
      Count inDoubt = count(MarkQuery.Kind.IN_DOUBT);
      found(new StaleMarks(
          stale.found(), inDoubt.found(), stale.complete() && inDoubt.complete(), stale.oldest()));
    } catch (Throwable e) { // a store in another language may throw any
      FailStop.throwIfOfTheProcess(e);
      failed(e);
    }
    env.callLater(this::poll, settings.interval());
  }

  private Count count(MarkQuery.Kind kind) {
    String scope = generation.scope().orElseThrow(); // counting starts once it is known
    int found = 0;
    Optional<Mark> oldest = Optional.empty();
    Optional<Mark> last = Optional.empty();
    while (found < settings.limit()) {
      int limit = Math.min(settings.limit() - found, MarkQuery.MAX_LIMIT);
      List<Mark> page = store.list(new MarkQuery(scope, kind, limit, last));
      found += page.size();
      oldest = Stream.concat(oldest.stream(), page.stream()).min(FIRST_CLAIMED);
      if (page.size() < limit) {
        return new Count(found, true, oldest);
      }
      last = Optional.of(page.get(page.size() - 1));
    }
    return new Count(found, false, oldest);
  }

  private void found(StaleMarks found) {
    found
        .oldest()
        .filter(oldest -> !oldestLogged.equals(Optional.of(oldest.key())))
        .ifPresent(oldest -> LOG.warn(
            "Stale marks: {}{}. The oldest is {} at {}, claimed by {} at {}",
            found.complete() ? "" : "at least ",
            found.stale(),
            oldest.key(),
            oldest.claim().origin().coordinates(),
            oldest.claim().origin().owner(),
            oldest.claimedAt()));
    oldestLogged = found.oldest().map(Mark::key);
    latest = found;
    events.clear(Problem.Kind.STALE_MARKS);
    events.notifyListeners(it -> it.onStaleMarks(found));
  }

  private void failed(Throwable error) {
    latest = null;
    if (env.closed()) {
      return; // the receiver, and perhaps its store, was closed meanwhile
    }
    LOG.warn(
        "The stale marks could not be counted; next try in {}",
        settings.interval(),
        Descriptions.loggable(error));
    events.raise(
        Problem.Kind.STALE_MARKS, "stale marks could not be counted: " + Descriptions.of(error));
    events.notifyListeners(it -> it.onStoreError("list", error));
  }
}
