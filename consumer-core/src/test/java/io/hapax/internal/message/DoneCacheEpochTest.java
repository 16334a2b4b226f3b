package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.DoneCacheSettings;
import io.hapax.internal.runtime.ManualThreads;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DoneCacheEpochTest {

  private static final MessageKey KEY = MessageKey.of("orders", "A");
  private static final Fingerprint PAYLOAD = new Fingerprint(1);
  private static final DoneCacheSettings SETTINGS =
      new DoneCacheSettings(100, Duration.ofMinutes(1));

  private final ManualThreads threads = new ManualThreads();
  private final DoneCache cache = new DoneCache(Optional.of(SETTINGS), Duration.ofDays(8), threads);

  @Test
  void a_done_message_is_known_with_its_payload_for_the_maximum_age() {
    cache.done(KEY, PAYLOAD, Bytes.EMPTY, cache.epoch());

    assertThat(cache.knows(KEY, PAYLOAD)).isTrue();
    assertThat(cache.knows(KEY, new Fingerprint(2))).as("another payload").isFalse();
    threads.advance(Duration.ofMinutes(1));
    assertThat(cache.knows(KEY, PAYLOAD)).as("too old").isFalse();
  }

  @Test
  void an_answer_to_a_call_before_a_loss_is_not_cached_after_it() {
    int epoch = cache.epoch();
    cache.forget();

    cache.done(KEY, PAYLOAD, Bytes.EMPTY, epoch);

    assertThat(cache.knows(KEY, PAYLOAD)).isFalse();
  }

  @Test
  void a_loss_clears_the_cache() {
    cache.done(KEY, PAYLOAD, Bytes.EMPTY, cache.epoch());

    cache.forget();

    assertThat(cache.knows(KEY, PAYLOAD)).isFalse();
  }

  @Test
  void a_message_with_a_result_is_not_cached() {
    cache.done(KEY, PAYLOAD, Bytes.utf8("result"), cache.epoch());

    assertThat(cache.knows(KEY, PAYLOAD)).isFalse();
  }

  @Test
  void a_maximum_age_above_the_retention_is_refused() {
    assertThatThrownBy(() -> new DoneCache(Optional.of(SETTINGS), Duration.ofSeconds(59), threads))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxAge");
  }
}
