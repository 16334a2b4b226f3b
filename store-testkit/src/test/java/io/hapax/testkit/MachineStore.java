package io.hapax.testkit;

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
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The machine in a map; subclasses break single parts of it. */
class MachineStore implements DedupStore {

  private final Map<MessageKey, Mark> marks = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private final Duration retention;

  MachineStore(InstantSource clock, Duration retention) {
    this.clock = clock;
    this.retention = retention;
  }

  protected Instant now() {
    return EpochMicros.toInstant(EpochMicros.of(clock.instant()));
  }

  protected Map<MessageKey, Mark> marks() {
    return marks;
  }

  protected void put(Mark mark) {
    if (mark.state() == MarkState.ABSENT) {
      marks.remove(mark.key());
    } else {
      marks.put(mark.key(), mark);
    }
  }

  /** Stops the machine that keeps the marks in mid-step. */
  protected void crash() {}

  protected void lock() {}

  protected void unlock() {}

  protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
    return MarkMachine.claim(mark, request, lease, now());
  }

  protected Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease) {
    return MarkMachine.renew(mark, claim, lease, now());
  }

  protected Transition<SettleAnswer> settle(Mark mark, Settlement settlement) {
    return MarkMachine.settle(mark, settlement, now());
  }

  protected Transition<Boolean> resolve(
      Mark mark, long expectedToken, MarkState expectedState, Resolution resolution) {
    return MarkMachine.resolve(mark, expectedToken, expectedState, resolution, now());
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    return each(requests, ClaimRequest::key, (mark, it) -> claim(mark, it, lease));
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return each(claims, Claim::key, (mark, it) -> renew(mark, it, lease));
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return each(settlements, it -> it.claim().key(), this::settle);
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
    return marks.values().stream()
        .filter(mark -> inScope(mark, query.scope()) && matches(mark, query.kind()))
        .filter(mark ->
            query.after().map(last -> mark.key().compareTo(last.key()) > 0).orElse(true))
        .sorted((one, two) -> one.key().compareTo(two.key()))
        .limit(query.limit())
        .toList();
  }

  protected boolean inScope(Mark mark, String scope) {
    return mark.key().scope().equals(scope);
  }

  protected boolean matches(Mark mark, MarkQuery.Kind kind) {
    boolean open = mark.state() == MarkState.PROCESSING || mark.state() == MarkState.RETRY;
    return switch (kind) {
      case STALE -> mark.state() == MarkState.PROCESSING && !mark.leasedAt(now());
      case LEASED -> mark.leasedAt(now());
      case IN_DOUBT -> open && mark.claim().attempt().inDoubt();
      case DEAD -> mark.state() == MarkState.DEAD;
    };
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    return each(
            List.of(key),
            Function.identity(),
            (mark, it) -> resolve(mark, expectedToken, expectedState, resolution))
        .get(0);
  }

  @Override
  public int purge(int limit) {
    Instant horizon = now().minus(retention);
    List<Mark> over = marks.values().stream()
        .filter(mark -> mayBePurged(mark) && mark.until().isBefore(horizon))
        .limit(limit)
        .toList();
    return (int) over.stream().filter(mark -> marks.remove(mark.key(), mark)).count();
  }

  protected boolean mayBePurged(Mark mark) {
    return mark.state() == MarkState.DONE;
  }

  @Override
  public Duration retention() {
    return retention;
  }

  @Override
  public void close() {
    // There is nothing to close.
  }

  private interface Verb<I, A> {
    Transition<A> apply(Mark mark, I item);
  }

  private <I, A> List<A> each(List<I> items, Function<I, MessageKey> keyOf, Verb<I, A> verb) {
    lock();
    try {
      List<A> answers = new ArrayList<>(items.size());
      for (I item : items) {
        MessageKey key = keyOf.apply(item);
        marks.compute(key, (same, current) -> {
          Transition<A> next = verb.apply(current == null ? Mark.absent(key) : current, item);
          answers.add(next.answer());
          return next.next().state() == MarkState.ABSENT ? null : next.next();
        });
      }
      return answers;
    } finally {
      unlock();
    }
  }
}
