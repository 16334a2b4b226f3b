package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many concurrent owners, as a test to inherit. 64 threads make 100,000 claims in batches, half of
 * which are sorted, on 10,000 messages. Each claim generation of a message has one winner, whether
 * the previous one ended by a release, a retry or the end of its lease. Its token is greater than
 * all earlier ones.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class ConcurrencyContract extends FixtureContract<StoreFixture> {

  private static final int THREADS = 64;
  private static final int MESSAGES = 10_000;
  private static final int CLAIMS = 100_000;
  private static final int BATCH = 100;
  private static final RetryingCaller PATIENCE = new RetryingCaller(Duration.ofMinutes(1));

  /** For subclasses. */
  protected ConcurrencyContract() {}

  @Test
  final void each_claim_generation_of_a_message_has_one_winner() throws Exception {
    List<MessageKey> keys = keys(MESSAGES);
    OwnershipLog ownership = new OwnershipLog(keys);
    long begin = System.nanoTime();

    claimEachEquallyOften(
        CLAIMS * 6 / 10, keys, (thread, batch) -> releasing(thread, batch, ownership));
    claimEachEquallyOften(
        CLAIMS * 2 / 10, keys, (thread, batch) -> claim(thread, batch, ownership));
    expireLease();
    ownership.forgetOwners();
    claimEachEquallyOften(
        CLAIMS * 2 / 10, keys, (thread, batch) -> claim(thread, batch, ownership));
    // If two batches wait too long for each other's locks, both are answered Busy.
    claim(0, ownership.withoutOwner(), ownership);

    assertThat(ownership.generations()).as("generations").isGreaterThan(3 * MESSAGES);
    assertThat(ownership.faults()).isEmpty();
    assertThat(store().find(keys))
        .as("the latest owner in the store")
        .allSatisfy(mark -> assertThat(mark).hasValueSatisfying(ownership::assertHeld));
    System.out.printf(
        "%s: %,d claims by %d threads on %,d messages, %,d generations, in %.1f s%n",
        getClass().getSimpleName(),
        CLAIMS,
        THREADS,
        MESSAGES,
        ownership.generations(),
        (System.nanoTime() - begin) / 1e9);
  }

  private interface BatchTask {
    void run(int thread, List<MessageKey> batch) throws Exception;
  }

  /** Puts each message into the same number of batches; their combination is random. */
  private static void claimEachEquallyOften(int claims, List<MessageKey> keys, BatchTask task)
      throws Exception {
    Random random = new Random(claims);
    List<List<MessageKey>> batches = new ArrayList<>();
    for (int round = 0; round < claims / MESSAGES; round++) {
      List<MessageKey> shuffled = new ArrayList<>(keys);
      Collections.shuffle(shuffled, random);
      for (int from = 0; from < MESSAGES; from += BATCH) {
        batches.add(shuffled.subList(from, from + BATCH));
      }
    }
    ConcurrentRun.<Integer>atOnce(THREADS, thread -> () -> {
      for (int i = thread; i < batches.size(); i += THREADS) {
        List<MessageKey> batch = batches.get(i);
        task.run(thread, thread % 2 == 0 ? batch : batch.stream().sorted().toList());
      }
      return thread;
    });
  }

  private DedupStore storeOf(int thread) {
    return thread / 2 % 2 == 0 ? store() : other();
  }

  /** Makes solo claims, so that lost claims are taken over; returns the acquired ones. */
  private List<Claim> claim(int thread, List<MessageKey> batch, OwnershipLog ownership)
      throws Exception {
    Function<MessageKey, ClaimRequest> alone = key -> Bench.alone(Bench.request(key));
    List<ClaimRequest> requests = batch.stream().map(alone).toList();
    List<ClaimAnswer> answers =
        PATIENCE.untilAnswered(() -> storeOf(thread).claim(requests, LEASE));
    List<Claim> won = new ArrayList<>();
    for (ClaimAnswer answer : answers) {
      if (answer instanceof Acquired acquired) {
        won.add(acquired.claim());
      } else if (!(answer instanceof ClaimAnswer.Busy)) {
        ownership.fault("a claim was answered " + answer);
      }
    }
    won.forEach(ownership::acquired);
    return won;
  }

  /**
   * Releases the ownership before the settlement is sent. A repeated settlement, after a lost
   * answer, may find that another thread owns the message by then.
   */
  private void releasing(int thread, List<MessageKey> batch, OwnershipLog ownership)
      throws Exception {
    List<Claim> won = claim(thread, batch, ownership);
    won.forEach(ownership::released);
    Verdict how = thread % 3 == 0 ? RELEASE : RETRY_NOW;
    List<Settlement> settlements =
        won.stream().map(claim -> new Settlement(claim, how)).toList();
    AtomicInteger sent = new AtomicInteger();
    List<SettleAnswer> answers = PATIENCE.untilAnswered(() -> {
      sent.incrementAndGet();
      return storeOf(thread).settle(settlements);
    });
    for (SettleAnswer answer : answers) {
      boolean settledBefore = sent.get() > 1 && answer instanceof SettleAnswer.Fenced;
      if (!answer.equals(new SettleAnswer.Settled(false)) && !settledBefore) {
        ownership.fault("a settlement was answered " + answer);
      }
    }
  }
}
