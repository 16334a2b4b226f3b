package io.hapax;

import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Receivers in leased mode, over a store whose calls and replies are lost on demand. */
abstract class LeasedFixture extends FaultFixture {

  static final Duration LONG_PATIENCE = Duration.ofSeconds(20);

  final FaultyStore store = new FaultyStore(marks);

  @Override
  final ReceiverBuilder<String> builder() {
    return super.builder()
        .id(text -> text.startsWith("?")
            ? Optional.empty()
            : Optional.of(Bytes.utf8(text.split("=", 2)[0])))
        .drainTimeout(LONG_PATIENCE);
  }

  final IdempotentReceiver<String> receiver(MessageHandler<String> handler) {
    return open(builder().leased(store, handler));
  }

  final IdempotentReceiver<String> recording() {
    return receiver(this::record);
  }

  static List<Outcome> receive(IdempotentReceiver<String> receiver, String... messages)
      throws InterruptedException {
    return receiver.receive(lane("p0", messages), LONG_PATIENCE);
  }
}
