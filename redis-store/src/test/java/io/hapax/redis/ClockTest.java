package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sets the clock of a server, or that of its successor, back while there are marks. */
@Timeout(60)
class ClockTest {

  private static final Duration HOUR = Duration.ofHours(1);

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
