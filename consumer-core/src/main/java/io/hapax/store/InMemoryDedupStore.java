package io.hapax.store;

import io.hapax.internal.runtime.SystemTime;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Transition;
import io.hapax.setting.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A dedup store in the memory of one process, for tests and trials.
 *
 * <p>It finds duplicates only among the messages that this process handled. A restart or a crash
 * loses every mark, and a second process does not see them. In production every consumer that is
 * killed would repeat the effects of its redelivered messages: use Redis or a database there.
 *
 * <p>It is {@link MarkMachine} in a map, so tests compare the other stores with it. Safe for use by
 * any number of threads, and blocks on no server. DONE marks stay until {@link #purge}.
 */
public final class InMemoryDedupStore implements DedupStore {

  private static final Duration RETENTION = Duration.ofDays(8);

  private final Map<MessageKey, Mark> marks = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private final Duration retention;

  /** Makes an empty store for tests and trials: system clock, retention of eight days. */
  public InMemoryDedupStore() {
    this(SystemTime.INSTANCE, RETENTION);
  }

  /**
   * Makes an empty store whose clock a test can move.
   *
   * @param clock the store's clock
   * @param retention how long a DONE mark stays after its settlement; positive
   */
  public InMemoryDedupStore(InstantSource clock, Duration retention) {
    Durations.positive("retention", retention);
    this.clock = clock;
    this.retention = retention;
  }

  private Instant now() {
    return EpochMicros.toInstant(EpochMicros.of(clock.instant()));
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    Instant now = now();
    return each(
        requests,
        ClaimRequest::key,
        (mark, request) -> MarkMachine.claim(mark, request, lease, now));
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    Instant now = now();
    return each(claims, Claim::key, (mark, claim) -> MarkMachine.renew(mark, claim, lease, now));
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    Instant now = now();
    return each(
        settlements, it -> it.claim().key(), (mark, it) -> MarkMachine.settle(mark, it, now));
  }

  @Override
  public Instant now(MessageKey key) {
    return now();
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return keys.stream().map(key -> Optional.ofNullable(marks.get(key))).toList();
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    Instant now = now();
    return marks.values().stream()
        .filter(
            mark -> mark.key().scope().equals(query.scope()) && matches(mark, query.kind(), now))
        .filter(mark ->
            query.after().map(last -> mark.key().compareTo(last.key()) > 0).orElse(true))
        .sorted((one, two) -> one.key().compareTo(two.key()))
        .limit(query.limit())
        .toList();
  }

  private static boolean matches(Mark mark, MarkQuery.Kind kind, Instant now) {
    boolean open = mark.state() == MarkState.PROCESSING || mark.state() == MarkState.RETRY;
    return switch (kind) {
      case STALE -> mark.state() == MarkState.PROCESSING && !mark.leasedAt(now);
      case LEASED -> mark.leasedAt(now);
      case IN_DOUBT -> open && mark.claim().attempt().inDoubt();
      case DEAD -> mark.state() == MarkState.DEAD;
    };
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    Instant now = now();
    return each(
            List.of(key),
            Function.identity(),
            (mark, it) -> MarkMachine.resolve(mark, expectedToken, expectedState, resolution, now))
        .get(0);
  }

  @Override
  public int purge(int limit) {
    Instant horizon = now().minus(retention);
    List<Mark> over = marks.values().stream()
        .filter(mark -> mark.state() == MarkState.DONE && mark.until().isBefore(horizon))
        .limit(limit)
        .toList();
    return (int) over.stream().filter(mark -> marks.remove(mark.key(), mark)).count();
  }

  @Override
  public Duration retention() {
    return retention;
  }

  @Override
  public List<String> warnings() {
    return List.of("the marks are in the memory of one process: its end loses all of them");
  }

  @Override
  public void close() {
    // Nothing was opened.
  }

  private interface Verb<I, A> {
    Transition<A> apply(Mark mark, I item);
  }

  private <I, A> List<A> each(List<I> items, Function<I, MessageKey> keyOf, Verb<I, A> verb) {
    List<A> answers = new ArrayList<>(items.size());
    for (I item : items) {
      MessageKey key = keyOf.apply(item);
      marks.compute(key, (same, current) -> {
        Transition<A> transition = verb.apply(current == null ? Mark.absent(key) : current, item);
        answers.add(transition.answer());
        return transition.next().state() == MarkState.ABSENT ? null : transition.next();
      });
    }
    return answers;
  }
}
