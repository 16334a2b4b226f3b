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
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A crowd that is too big for anybody, as a test to inherit: 64 threads claim 100,000 times, in
 * batches, half of them sorted, among 10,000 messages. Each generation of a message has one winner,
 * whether the one before ended by a release, by a retry or with its lease; and its token is greater
 * than all before.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class ConcurrencyContract {

  private static final int THREADS = 64;
  private static final int MESSAGES = 10_000;
  private static final int CLAIMS = 100_000;
  private static final int BATCH = 100;
  private static final RetryingCaller PATIENCE = new RetryingCaller(Duration.ofMinutes(1));

  private Bench bench;

  /** For subclasses. */
  protected ConcurrencyContract() {}

  /**
   * Opens the store, before each test; the fixture is closed after each test.
   *
   * @return the store under test
   */
  protected abstract StoreFixture open();

  @BeforeEach
  final void openStore() {
    bench = new Bench(open());
  }

  @AfterEach
  final void closeStore() {
    bench.fixture().close();
  }

  @Test
  final void in_a_crowd_each_generation_of_a_message_has_one_winner() throws Exception {
    List<MessageKey> keys =
        IntStream.range(0, MESSAGES).mapToObj(i -> bench.key("m" + i)).toList();
    OwnershipLog winners = new OwnershipLog(keys);
    long begin = System.nanoTime();

    everybody(CLAIMS * 6 / 10, keys, (thread, batch) -> givingBack(thread, batch, winners));
    everybody(CLAIMS * 2 / 10, keys, (thread, batch) -> claim(thread, batch, winners));
    bench.leaseIsOver();
    winners.allVanish();
    everybody(CLAIMS * 2 / 10, keys, (thread, batch) -> claim(thread, batch, winners));
    // Two batches that wait too long for each other's locks are both answered Busy.
    claim(0, winners.withoutOwner(), winners);

    assertThat(winners.generations()).as("generations").isGreaterThan(3 * MESSAGES);
    assertThat(winners.faults()).isEmpty();
    assertThat(bench.store().find(keys))
        .as("what the store remembers of the last winners")
        .allSatisfy(mark -> assertThat(mark).hasValueSatisfying(winners::assertHeld));
    System.out.printf(
        "%s: %,d claims by %d threads on %,d messages, %,d generations, in %.1f s%n",
        getClass().getSimpleName(),
        CLAIMS,
        THREADS,
        MESSAGES,
        winners.generations(),
        (System.nanoTime() - begin) / 1e9);
  }

  private interface Turn {
    void take(int thread, List<MessageKey> batch) throws Exception;
  }

  /** Each message comes in equally many batches; which ones meet is left to chance. */
  private static void everybody(int claims, List<MessageKey> keys, Turn turn) throws Exception {
    Random random = new Random(claims);
    List<List<MessageKey>> batches = new ArrayList<>();
    for (int round = 0; round < claims / MESSAGES; round++) {
      List<MessageKey> shuffled = new ArrayList<>(keys);
      Collections.shuffle(shuffled, random);
      for (int from = 0; from < MESSAGES; from += BATCH) {
        batches.add(shuffled.subList(from, from + BATCH));
      }
    }
    ConcurrentRun.atOnce(IntStream.range(0, THREADS)
        .<Callable<Integer>>mapToObj(thread -> () -> {
          for (int i = thread; i < batches.size(); i += THREADS) {
            List<MessageKey> batch = batches.get(i);
            turn.take(thread, thread % 2 == 0 ? batch : batch.stream().sorted().toList());
          }
          return thread;
        })
        .toList());
  }

  private DedupStore storeOf(int thread) {
    return thread / 2 % 2 == 0 ? bench.store() : bench.other();
  }

  /** Claims alone, so that what was lost is taken over; gives what was won. */
  private List<Claim> claim(int thread, List<MessageKey> batch, OwnershipLog winners)
      throws Exception {
    Function<MessageKey, ClaimRequest> alone = key -> Bench.alone(Bench.request(key));
    List<ClaimRequest> requests = batch.stream().map(alone).toList();
    List<ClaimAnswer> answers =
        PATIENCE.untilAnswered(() -> storeOf(thread).claim(requests, Bench.LEASE));
    List<Claim> won = new ArrayList<>();
    for (ClaimAnswer answer : answers) {
      if (answer instanceof Acquired acquired) {
        won.add(acquired.claim());
      } else if (!(answer instanceof ClaimAnswer.Busy)) {
        winners.fault("a claim was answered " + answer);
      }
    }
    won.forEach(winners::won);
    return won;
  }

  /**
   * Who gives a message back has ceased to be its owner before he says so. If he has to say it
   * again, because the answer did not come, somebody else may own the message by then.
   */
  private void givingBack(int thread, List<MessageKey> batch, OwnershipLog winners)
      throws Exception {
    List<Claim> won = claim(thread, batch, winners);
    won.forEach(winners::leaves);
    Verdict how = thread % 3 == 0 ? Bench.RELEASE : Bench.RETRY_NOW;
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
        winners.fault("a settlement was answered " + answer);
      }
    }
  }
}
