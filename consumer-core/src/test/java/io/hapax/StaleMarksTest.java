package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Marks that vanished owners left behind are counted. */
class StaleMarksTest extends FaultFixture {

  private static final Duration OFTEN = Duration.ofMillis(10);

  private final List<StaleMarks> told = new CopyOnWriteArrayList<>();
  private final List<String> failedVerbs = new CopyOnWriteArrayList<>();
  private final AtomicInteger lists = new AtomicInteger();
  private final AtomicBoolean away = new AtomicBoolean();

  private IdempotentReceiver<String> counting(int limit) {
    return open(builder()
        .countStaleMarks(new StaleMarkSettings(OFTEN, limit))
        .listener(new ReceiverListener() {
          @Override
          public void onStaleMarks(StaleMarks found) {
            told.add(found);
          }

          @Override
          public void onStoreError(String verb, Throwable error) {
            failedVerbs.add(verb);
          }
        })
        .leased(
            faulty((verb, items, call) -> {
              if (verb.equals("list") && away.get()) {
                throw new StoreException("no permissions to run 'zrangebylex'");
              }
              return call.go();
            }),
            delivery -> {}));
  }

  private static String[] ids(int count) {
    return IntStream.range(0, count).mapToObj(i -> "m" + i).toArray(String[]::new);
  }

  private StaleMarks firstOf(IdempotentReceiver<String> receiver) {
    eventually(() -> !told.isEmpty());
    assertThat(receiver.health().staleMarks()).isPresent();
    return told.get(0);
  }

  @Test
  void stale_marks_are_counted_and_the_oldest_has_its_coordinates() {
    lost(true, "first");
    lost(true, "a", "b");

    StaleMarks found = firstOf(counting(100));

    assertThat(found.stale()).isEqualTo(3);
    assertThat(found.inDoubt()).isZero();
    assertThat(found.complete()).isTrue();
    Mark oldest = found.oldest().orElseThrow();
    assertThat(oldest.key()).isEqualTo(key("first"));
    assertThat(oldest.claim().origin()).isEqualTo(new Origin("elsewhere", "p0@0"));
  }

  @Test
  void live_leases_and_marks_of_other_consumers_are_not_stale() {
    ClaimRequest foreign = new ClaimRequest(
        MessageKey.of("shipping", "a"),
        new Nonce(1, 1),
        Fingerprint.NONE,
        Origin.NONE,
        new ClaimTerms(true, true, ClaimTerms.ANY_TIME));
    marks.claim(List.of(foreign), Duration.ofMinutes(1));
    lost(true, "a");
    claimedElsewhere("alive", true, Duration.ofMinutes(1));

    assertThat(firstOf(counting(100)).stale()).isEqualTo(1);
  }

  @Test
  void a_failed_attempt_of_unknown_effect_is_in_doubt_and_not_stale() {
    lost(true, "a");
    Claim claim = mark("a").claim();
    marks.settle(List.of(new Settlement(claim, new Verdict.Retry(Duration.ofHours(1), true))));

    StaleMarks found = firstOf(counting(100));

    assertThat(found.stale()).isZero();
    assertThat(found.inDoubt()).isEqualTo(1);
    assertThat(found.oldest()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 99_000})
  void more_than_a_page_is_counted_up_to_the_limit(int beyondThePage) {
    lost(true, ids(MarkQuery.MAX_LIMIT + 500));

    StaleMarks found = firstOf(counting(MarkQuery.MAX_LIMIT + beyondThePage));

    assertThat(found.stale()).isEqualTo(MarkQuery.MAX_LIMIT + Math.min(beyondThePage, 500));
    assertThat(found.complete()).isEqualTo(beyondThePage > 500);
  }

  @Test
  void it_counts_again_and_again() {
    IdempotentReceiver<String> receiver = counting(100);
    assertThat(firstOf(receiver).stale()).isZero();

    lost(true, "a");

    eventually(() -> told.get(told.size() - 1).stale() == 1);
  }

  @Test
  void a_failed_count_is_a_problem_until_one_succeeds() {
    IdempotentReceiver<String> receiver = counting(100);
    firstOf(receiver);

    away.set(true);
    eventually(() -> !receiver.health().well());
    assertThat(receiver.health().staleMarks()).isEmpty();
    assertThat(receiver.problems().toString()).contains("stale marks", "no permissions");
    assertThat(receiver.health().storeReachable())
        .as("its other verbs may work")
        .isTrue();
    eventually(() -> !failedVerbs.isEmpty());
    assertThat(failedVerbs).containsOnly("list");

    away.set(false);
    eventually(() -> receiver.health().well());
    eventually(() -> receiver.health().staleMarks().isPresent());
  }

  @Test
  void stale_marks_are_not_counted_unless_configured() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .leased(
            faulty((verb, items, call) -> {
              lists.addAndGet(verb.equals("list") ? 1 : 0);
              return call.go();
            }),
            delivery -> {}));

    receive(receiver, "a");

    assertThat(lists).hasValue(0);
    assertThat(receiver.health().staleMarks()).isEmpty();
  }
}
