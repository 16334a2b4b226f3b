package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests a store whose durable server is killed under load and restarted with its data. Acknowledged
 * marks survive, no message has two owners, and the store recovers by itself. A store's tests
 * inherit it, with a server of its own for each test.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class RestartContract extends FixtureContract<RestartableStoreFixture> {

  private static final int OWNERS = 8;
  private static final int MESSAGES = 4_000;
  private static final int BATCH = 50;
  private static final int KILLS = 3;

  /** For subclasses. */
  protected RestartContract() {}

  /**
   * Returns how long a store may take to recover after its server.
   *
   * @return a minute, unless a subclass overrides it
   */
  protected Duration recoveryTimeout() {
    return Duration.ofMinutes(1);
  }

  @Test
  final void a_server_killed_in_mid_batch_loses_and_doubles_nothing() throws Exception {
    List<MessageKey> keys = keys(MESSAGES);
    OwnershipLog ownership = new OwnershipLog(keys);
    Set<MessageKey> acknowledged = ConcurrentHashMap.newKeySet();
    Semaphore progress = new Semaphore(0);
    Callable<Integer> killer = () -> {
      for (int kill = 0; kill < KILLS; kill++) {
        if (!progress.tryAcquire(MESSAGES / (KILLS + 2), 1, TimeUnit.MINUTES)) {
          throw new AssertionError("the workers make no progress");
        }
        fixture().killServer();
        List<MessageKey> before = List.copyOf(acknowledged);
        fixture().restartServer();
        assertDone(before);
      }
      return KILLS;
    };
    Stream<Callable<Integer>> owners = IntStream.range(0, OWNERS).mapToObj(owner -> () -> {
      work(owner, keys, ownership, acknowledged, progress);
      return owner;
    });

    ConcurrentRun.atOnce(Stream.concat(owners, Stream.of(killer)).toList());

    assertThat(ownership.faults()).isEmpty();
    assertThat(ownership.generations()).isEqualTo(MESSAGES);
    assertThat(acknowledged).hasSize(MESSAGES);
    assertDone(keys);
  }

  private void assertDone(List<MessageKey> keys) throws Exception {
    assertThat(new RetryingCaller(recoveryTimeout()).untilAnswered(() -> store().find(keys)))
        .as("acknowledged messages")
        .allSatisfy(mark -> assertThat(mark)
            .hasValueSatisfying(it -> assertThat(it.state()).isEqualTo(MarkState.DONE)));
  }

  /**
   * Claims every message, in a different order for each owner, and skips messages of other owners.
   * Then resends the claims of messages that are not settled yet, because a store may answer
   * {@code Busy} for a mark whose row a dead connection still locks. That connection may belong to
   * this owner, and its claim may still be committed. In that case only a claim with the same nonce
   * succeeds before the lease expires.
   */
  private void work(
      int owner,
      List<MessageKey> keys,
      OwnershipLog ownership,
      Set<MessageKey> acknowledged,
      Semaphore progress)
      throws Exception {
    DedupStore store = owner % 2 == 0 ? store() : other();
    List<ClaimRequest> shuffled =
        new ArrayList<>(keys.stream().map(Bench::request).toList());
    Collections.shuffle(shuffled, new Random(owner));
    pass(store, shuffled, ownership, acknowledged, progress);
    await().pollInSameThread().atMost(recoveryTimeout()).until(() -> {
      List<ClaimRequest> left = shuffled.stream()
          .filter(request -> !acknowledged.contains(request.key()))
          .toList();
      pass(store, left, ownership, acknowledged, progress);
      return left.isEmpty();
    });
  }

  private void pass(
      DedupStore store,
      List<ClaimRequest> requests,
      OwnershipLog ownership,
      Set<MessageKey> acknowledged,
      Semaphore progress) {
    RetryingCaller caller = new RetryingCaller(recoveryTimeout());
    for (int from = 0; from < requests.size(); from += BATCH) {
      List<ClaimRequest> batch = requests.subList(from, Math.min(from + BATCH, requests.size()));
      List<ClaimAnswer> answers = caller.untilAnswered(() -> store.claim(batch, LEASE));
      List<Claim> won = Bench.acquired(answers);
      won.forEach(ownership::acquired);
      List<Settlement> settlements =
          won.stream().map(claim -> new Settlement(claim, DONE)).toList();
      List<SettleAnswer> settled = caller.untilAnswered(() -> store.settle(settlements));
      if (!settled.stream().allMatch(new SettleAnswer.Settled(false)::equals)) {
        ownership.fault("a settlement was answered " + settled);
      }
      won.forEach(claim -> acknowledged.add(claim.key()));
      progress.release(won.size());
    }
  }
}
