package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the scripts at, before and after the exact microsecond at which something expires, and
 * with a clock that was set back.
 */
@Timeout(60)
class ClockTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration RETENTION = Duration.ofDays(8);
  private static final long BEGIN = 1_795_000_000_999_990L;
  private static final long SPAN = Marks.LEASE.toNanos() / 1000;

  private final FrozenTime time = new FrozenTime(Servers.shared());
  private long now = BEGIN;

  private final InMemoryDedupStore machine =
      new InMemoryDedupStore(() -> EpochMicros.toInstant(now), RETENTION);

  @AfterEach
  void close() {
    time.close();
  }

  private void at(long micros) {
    now = micros;
    time.set(micros);
  }

  private ScriptExecutor executor(boolean compact, String name) {
    at(BEGIN);
    return time.executor("moment-" + name + compact, compact, RETENTION, fields -> {});
  }

  private ClaimAnswer claim(ScriptVerbs verbs, ClaimRequest request) {
    ClaimAnswer answer = verbs.claim(List.of(request), Marks.LEASE).get(0);
    assertThat(answer).isEqualTo(machine.claim(List.of(request), Marks.LEASE).get(0));
    return answer;
  }

  private void settle(ScriptVerbs verbs, Settlement settlement) {
    assertThat(verbs.settle(List.of(settlement))).isEqualTo(machine.settle(List.of(settlement)));
  }

  private static ClaimRequest request(String id, boolean solo, long notAfter) {
    ClaimRequest request = Marks.request(id);
    return new ClaimRequest(
        request.key(),
        request.nonce(),
        request.fingerprint(),
        request.origin(),
        new ClaimTerms(solo, true, EpochMicros.toInstant(notAfter)));
  }

  @ParameterizedTest
  @CsvSource({"false, -1", "false, 0", "false, 1", "true, -1", "true, 0", "true, 1"})
  void claims_are_answered_like_those_of_the_machine(boolean compact, long offset) {
    ScriptVerbs verbs = new ScriptVerbs(executor(compact, "claim" + offset));
    claim(verbs, request("taken over", false, BEGIN));
    ClaimAnswer failed = claim(verbs, request("tried again", false, BEGIN));
    settle(verbs, new Settlement(Marks.claim(failed), new Verdict.Retry(Marks.LEASE, false)));

    at(BEGIN + SPAN + offset);

    claim(verbs, request("taken over", true, BEGIN + 2 * SPAN));
    claim(verbs, request("tried again", true, BEGIN + 2 * SPAN));
    claim(verbs, request("late", false, BEGIN + SPAN));
  }

  @ParameterizedTest
  @CsvSource({"false, -1", "false, 0", "false, 1", "true, -1", "true, 0", "true, 1"})
  void lists_and_resolutions_equal_those_of_the_machine(boolean compact, long offset) {
    ScriptExecutor executor = executor(compact, "operator" + offset);
    ScriptVerbs verbs = new ScriptVerbs(executor);
    ClaimAnswer answer = claim(verbs, request("m", false, BEGIN));
    MessageKey key = Marks.claim(answer).key();
    long token = Marks.claim(answer).token();

    at(BEGIN + SPAN + offset);

    for (MarkQuery.Kind kind : List.of(MarkQuery.Kind.STALE, MarkQuery.Kind.LEASED)) {
      MarkQuery query = MarkQuery.first("orders", kind, 10);
      assertThat(new MarkLister(executor).list(query))
          .as("%s", kind)
          .hasSameSizeAs(machine.list(query));
    }
    assertThat(verbs.resolve(key, token, MarkState.PROCESSING, Resolution.REOPEN))
        .isEqualTo(machine.resolve(key, token, MarkState.PROCESSING, Resolution.REOPEN));
  }

  @ParameterizedTest
  @CsvSource({"-1, true", "0, true", "1, false"})
  void a_mark_in_a_bucket_exists_for_exactly_its_retention(long offset, boolean there) {
    ScriptVerbs verbs = new ScriptVerbs(executor(true, "retention" + offset));
    ClaimAnswer answer = claim(verbs, request("m", false, BEGIN));
    settle(verbs, Marks.done(Marks.claim(answer)));

    at(BEGIN + RETENTION.toNanos() / 1000 + offset);

    MessageKey key = Marks.claim(answer).key();
    assertThat(verbs.find(List.of(key)).get(0).map(Mark::key).isPresent()).isEqualTo(there);
  }

  private static RedisFixture open(boolean compact) {
    return RedisFixture.at(compact ? Place.COMPACT_SERVER : Place.SERVER);
  }

  private static Claim claimedAnHourAhead(RedisFixture fixture, String id) {
    fixture.advance(HOUR);
    return Marks.claim(fixture.store(), id);
  }

  private static Mark find(RedisFixture fixture, MessageKey key) {
    return fixture.store().find(List.of(key)).get(0).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tokens_of_a_message_grow_on(boolean compact) {
    try (RedisFixture fixture = open(compact)) {
      Claim dead = claimedAnHourAhead(fixture, "dead");
      fixture.store().settle(List.of(new Settlement(dead, new Verdict.Dead("why"))));
      Claim done = Marks.claim(fixture.store(), "done");
      Marks.settleDone(fixture.store(), done);
      fixture.advance(HOUR.negated());

      Map<String, Claim> both = Map.of("dead", dead, "done", done);
      both.forEach((id, ended) -> {
        MarkState seen = find(fixture, ended.key()).state();
        assertThat(fixture.store().resolve(ended.key(), ended.token(), seen, Resolution.REOPEN))
            .isTrue();
        long reopened = find(fixture, ended.key()).claim().token();
        Claim next = Marks.claim(fixture.store(), id);

        assertThat(reopened).isEqualTo(ended.token() + 1);
        assertThat(next.token()).isEqualTo(reopened + 1);
      });
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void what_is_settled_before_it_was_claimed_is_done_at_that_time(boolean compact) {
    try (RedisFixture fixture = open(compact)) {
      Claim claim = claimedAnHourAhead(fixture, "m");
      fixture.advance(HOUR.negated());

      Marks.settleDone(fixture.store(), claim);

      Mark mark = find(fixture, claim.key());
      assertThat(Duration.between(mark.until(), mark.claimedAt()))
          .isBetween(HOUR.minusMinutes(5), HOUR);
      assertThat(fixture.store().claim(List.of(Marks.request("m")), Marks.LEASE).get(0))
          .isInstanceOfSatisfying(
              ClaimAnswer.Done.class, known -> assertThat(known.doneAt()).isEqualTo(mark.until()));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_clock_beyond_the_range_of_lua_numbers_is_refused(boolean compact) {
    try (RedisFixture fixture = open(compact)) {
      fixture.store().setClock(Duration.ofDays(100 * 365));
      assertThatThrownBy(() -> Marks.claim(fixture.store(), "m"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("2^52");
      fixture.store().setClock(Duration.ZERO);

      Marks.claim(fixture.store(), "m");
    }
  }
}
