package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every store on a durable server does when that server is killed under a crowd and comes back
 * with its data, as a test to inherit: what was acknowledged stands, nobody wins what another has,
 * and the store answers again by itself.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class RestartContract {

  private static final int OWNERS = 8;
  private static final int MESSAGES = 4_000;
  private static final int BATCH = 50;
  private static final int KILLS = 3;

  private RestartableStoreFixture fixture;
  private Bench bench;

  /** For subclasses. */
  protected RestartContract() {}

  /**
   * Opens the store, on a server of its own, before each test; the fixture is closed after each
   * test.
   *
   * @return the store under test
   */
  protected abstract RestartableStoreFixture open();

  /**
   * How long a store may take to answer again after its server does.
   *
   * @return a minute, unless a subclass says otherwise
   */
  protected Duration recoveryTimeout() {
    return Duration.ofMinutes(1);
  }

  @BeforeEach
  final void openStore() {
    fixture = open();
    bench = new Bench(fixture);
  }

  @AfterEach
  final void closeStore() {
    fixture.close();
  }

  @Test
  final void a_server_that_is_killed_in_mid_batch_loses_nothing_and_doubles_nothing()
      throws Exception {
    List<MessageKey> keys =
        IntStream.range(0, MESSAGES).mapToObj(i -> bench.key("m" + i)).toList();
    OwnershipLog winners = new OwnershipLog(keys);
    Set<MessageKey> acknowledged = ConcurrentHashMap.newKeySet();
    Semaphore progress = new Semaphore(0);
    Callable<Integer> killer = () -> {
      for (int kill = 0; kill < KILLS; kill++) {
        if (!progress.tryAcquire(MESSAGES / (KILLS + 2), 1, TimeUnit.MINUTES)) {
          throw new AssertionError("the crowd stands still");
        }
        fixture.killServer();
        List<MessageKey> before = List.copyOf(acknowledged);
        fixture.restartServer();
        assertDone(before);
      }
      return KILLS;
    };
    Stream<Callable<Integer>> owners = IntStream.range(0, OWNERS).mapToObj(owner -> () -> {
      work(owner, keys, winners, acknowledged, progress);
      return owner;
    });

    ConcurrentRun.atOnce(Stream.concat(owners, Stream.of(killer)).toList());

    assertThat(winners.faults()).isEmpty();
    assertThat(winners.generations()).isEqualTo(MESSAGES);
    assertThat(acknowledged).hasSize(MESSAGES);
    assertDone(keys);
  }

  private void assertDone(List<MessageKey> keys) throws Exception {
    assertThat(new RetryingCaller(recoveryTimeout())
            .untilAnswered(() -> bench.store().find(keys)))
        .as("what was acknowledged as done")
        .allSatisfy(mark -> assertThat(mark)
            .hasValueSatisfying(it -> assertThat(it.state()).isEqualTo(MarkState.DONE)));
  }

  /** Takes every message once, in an order of its own; what another has, the other finishes. */
  private void work(
      int owner,
      List<MessageKey> keys,
      OwnershipLog winners,
      Set<MessageKey> acknowledged,
      Semaphore progress)
      throws Exception {
    DedupStore store = owner % 2 == 0 ? bench.store() : bench.other();
    RetryingCaller patience = new RetryingCaller(recoveryTimeout());
    List<MessageKey> shuffled = new ArrayList<>(keys);
    Collections.shuffle(shuffled, new Random(owner));
    for (int from = 0; from < MESSAGES; from += BATCH) {
      List<ClaimRequest> requests =
          shuffled.subList(from, from + BATCH).stream().map(Bench::request).toList();
      List<ClaimAnswer> answers = patience.untilAnswered(() -> store.claim(requests, Bench.LEASE));
      List<Claim> won = answers.stream()
          .filter(Acquired.class::isInstance)
          .map(answer -> Bench.acquired(answer).claim())
          .toList();
      won.forEach(winners::won);
      List<Settlement> settlements =
          won.stream().map(claim -> new Settlement(claim, Bench.DONE)).toList();
      List<SettleAnswer> settled = patience.untilAnswered(() -> store.settle(settlements));
      if (!settled.stream().allMatch(new SettleAnswer.Settled(false)::equals)) {
        winners.fault("a settlement was answered " + settled);
      }
      won.forEach(claim -> acknowledged.add(claim.key()));
      progress.release(won.size());
    }
  }
}
