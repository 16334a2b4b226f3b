package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.policy.MissingFingerprintPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A mark that knows its payload does not forget it. */
class FingerprintKeptTest extends FaultFixture {

  @Test
  @DisplayName("invariant 11: same id, different payload: never acknowledged silently")
  void a_fingerprint_once_known_survives_an_attempt_that_has_none() throws Exception {
    AtomicBoolean readable = new AtomicBoolean(true);
    AtomicBoolean gatewayDown = new AtomicBoolean(true);
    IdempotentReceiver<String> receiver = open(builder()
        .missingFingerprint(MissingFingerprintPolicy.NOT_COMPARED)
        .fingerprint(text -> {
          if (!readable.get()) {
            throw new IllegalStateException("schema registry is away");
          }
          return Fingerprint.of(Bytes.utf8(text).toByteArray());
        })
        .leased(marks, delivery -> {
          if (gatewayDown.get()) {
            throw new NotAppliedException("gateway down");
          }
        }));
    receiver.receive(lane("p0", "a=1"), PATIENCE);
    gatewayDown.set(false);
    clock.advance(Duration.ofMinutes(2));
    readable.set(false);
    receiver.receive(lane("p0", "a=1"), PATIENCE);
    readable.set(true);

    List<Outcome> other = receiver.receive(lane("p0", "a=2"), PATIENCE);

    assertThat(other.get(0)).isInstanceOf(Outcome.DeadLettered.class);
  }
}
