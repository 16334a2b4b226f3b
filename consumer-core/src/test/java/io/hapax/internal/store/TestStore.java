package io.hapax.internal.store;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.ManualThreads;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.DedupStore;
import io.hapax.store.ForwardingDedupStore;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * A store in memory whose time is the test's. It fails while the test wants it to. The effects of
 * its transactions are texts.
 */
public final class TestStore extends ForwardingDedupStore
    implements TransactionalDedupStore<List<String>> {

  /** The time at which it starts. */
  public static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  private static final Duration LEASE = Duration.ofMinutes(1);

  private final InstantSource clock;
  private final DedupStore marks;

  /** The calls since the test last cleared the list, with the number of their items. */
  public final List<String> calls = new ArrayList<>();

  public boolean down;

  /** Whether the store answers reads but refuses every write. */
  public boolean readOnly;

  /** The effects of the transactions that were committed. */
  public final List<String> effects = new ArrayList<>();

  /**
   * The errors of the next commits. A transaction that ends with one is rolled back, unless the
   * error is that its outcome is unknown.
   */
  public final Queue<RuntimeException> commitErrors = new ArrayDeque<>();

  public TestStore(ManualThreads threads) {
    this(() -> START.plusNanos(threads.nanos()));
  }

  private TestStore(InstantSource clock) {
    this(clock, new InMemoryDedupStore(clock, Duration.ofDays(8)));
  }

  private TestStore(InstantSource clock, DedupStore marks) {
    super(marks);
    this.clock = clock;
    this.marks = marks;
  }

  private <A> A call(String verb, int items, boolean write, Supplier<A> call) {
    calls.add(verb + " " + items);
    if (down || (readOnly && write)) {
      throw new StoreException("the store is down");
    }
    return call.get();
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    boolean write = requests.stream().anyMatch(it -> it.terms().notAfter().isAfter(Instant.EPOCH));
    return call("claim", requests.size(), write, () -> marks.claim(requests, lease));
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return call("renew", claims.size(), true, () -> marks.renew(claims, lease));
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return call("settle", settlements.size(), true, () -> marks.settle(settlements));
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return call("find", keys.size(), false, () -> marks.find(keys));
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return call("list", query.limit(), false, () -> marks.list(query));
  }

  @Override
  public List<Optional<ClaimAnswer.Done>> findDone(List<ClaimRequest> requests) {
    return call(
        "findDone",
        requests.size(),
        false,
        () -> requests.stream()
            .map(it -> MarkMachine.findDone(mark(it.key()), it, retention(), clock.instant()))
            .toList());
  }

  @Override
  public <X extends Exception> List<ClaimAnswer> runOnce(
      List<ClaimRequest> requests, BatchWork<List<String>, X> work) throws X {
    List<ClaimAnswer> answers = call(
        "runOnce",
        requests.size(),
        true,
        () -> requests.stream().map(this::completed).toList());
    List<String> written = new ArrayList<>();
    if (answers.stream().anyMatch(ClaimAnswer.Acquired.class::isInstance)) {
      work.run(written, answers);
    }
    commit(written, () -> {
      var unused = marks.settle(marks.claim(requests, LEASE).stream()
          .filter(ClaimAnswer.Acquired.class::isInstance)
          .map(it -> done(((ClaimAnswer.Acquired) it).claim()))
          .toList());
    });
    return answers;
  }

  private ClaimAnswer completed(ClaimRequest request) {
    return MarkMachine.complete(mark(request.key()), request, clock.instant()).answer();
  }

  private Mark mark(MessageKey key) {
    return marks.find(List.of(key)).get(0).orElseGet(() -> Mark.absent(key));
  }

  private static Settlement done(Claim claim) {
    return new Settlement(claim, Verdict.Done.WITHOUT_RESULT);
  }

  private void commit(List<String> written, Runnable writeMarks) {
    RuntimeException error = commitErrors.poll();
    if (error == null || error instanceof CommitUnknownException) {
      writeMarks.run();
      effects.addAll(written);
    }
    if (error != null) {
      throw error;
    }
  }

  @Override
  public <X extends Exception> SettleAnswer completeWith(Claim claim, Work<List<String>, X> work)
      throws X {
    Mark mark = mark(claim.key());
    SettleAnswer answer = call(
        "completeWith",
        1,
        true,
        () -> MarkMachine.settle(mark, done(claim), clock.instant()).answer());
    List<String> written = new ArrayList<>();
    if (answer instanceof SettleAnswer.Settled && mark.state() != MarkState.DONE) {
      work.run(written);
    }
    commit(written, () -> {
      var unused = marks.settle(List.of(done(claim)));
    });
    return answer;
  }

  /** Makes messages DONE without a recorded call. */
  public void settleDone(List<InFlightMessage<String>> messages) {
    List<ClaimRequest> requests = messages.stream()
        .map(it -> new ClaimRequest(
            it.requiredKey(),
            new Nonce(9, it.requiredKey().low()),
            it.fingerprint,
            Origin.NONE,
            new ClaimTerms(false, false, ClaimTerms.ANY_TIME)))
        .toList();
    var unused = marks.settle(marks.claim(requests, LEASE).stream()
        .map(it -> done(((ClaimAnswer.Acquired) it).claim()))
        .toList());
  }
}
