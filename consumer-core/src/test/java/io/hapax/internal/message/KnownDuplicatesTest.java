package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DoneCacheSettings;
import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownDuplicatesTest {

  private final List<MessageKey> hits = new ArrayList<>();
  private final TestMessages messages = new TestMessages(new ReceiverListener() {
    @Override
    public void onCacheHit(MessageKey key) {
      hits.add(key);
    }
  });
  private final DoneCache cache =
      new DoneCache(Optional.of(DoneCacheSettings.DEFAULT), Duration.ofDays(8), messages.threads);
  private final KnownDuplicates<String> known =
      new KnownDuplicates<>(cache, messages.events, messages.outcomes);

  @Test
  void a_message_that_is_known_as_done_finishes_as_a_duplicate() {
    InFlightMessage<String> message = messages.message("A=1");
    cache.done(message.requiredKey(), message.fingerprint, Bytes.EMPTY, cache.epoch());

    assertThat(known.finish(message)).isTrue();

    assertThat(message.outcome()).hasValue(new Outcome.Duplicate());
    assertThat(hits).containsExactly(message.requiredKey());
  }

  @Test
  void another_payload_and_a_message_without_id_go_to_the_store() {
    InFlightMessage<String> first = messages.message("A=1");
    cache.done(first.requiredKey(), first.fingerprint, Bytes.EMPTY, cache.epoch());

    assertThat(known.finish(messages.message("A=2"))).isFalse();
    assertThat(known.finish(messages.message("?"))).isFalse();
    assertThat(hits).isEmpty();
  }
}
