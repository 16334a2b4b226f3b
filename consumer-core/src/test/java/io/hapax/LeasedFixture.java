package io.hapax;

import static io.hapax.FaultFixture.SCOPE;
import static io.hapax.FaultFixture.key;
import static io.hapax.FaultFixture.lane;

import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** The engine in leased mode, seen from the receiver's API; the store is the machine in a map. */
@Timeout(30)
abstract class LeasedFixture {

  static final Duration PATIENCE = Duration.ofSeconds(20);

  final TestClock clock = new TestClock();
  final InMemoryDedupStore marks = new InMemoryDedupStore(clock, Duration.ofDays(8));
  final FaultyStore store = new FaultyStore(marks);
  final List<String> effects = new CopyOnWriteArrayList<>();
  final List<DeadLetter<String>> buried = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  final void closeReceivers() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  final ReceiverBuilder<String> builder() {
    return IdempotentReceiver.<String>builder(SCOPE)
        .id(text -> text.startsWith("?") ? Optional.empty() : Optional.of(Bytes.utf8(idOf(text))))
        .fingerprint(text -> Fingerprint.of(Bytes.utf8(text).toByteArray()))
        .retry(new RetrySettings(3, Duration.ofMinutes(1), Duration.ofMinutes(10)))
        .deadLetters(buried::add);
  }

  private static String idOf(String text) {
    return text.split("=", 2)[0];
  }

  final IdempotentReceiver<String> receiver(MessageHandler<String> handler) {
    return open(builder().leased(store, handler));
  }

  final IdempotentReceiver<String> recording() {
    return receiver(delivery -> effects.add(delivery.message()));
  }

  final <M> IdempotentReceiver<M> open(IdempotentReceiver<M> receiver) {
    opened.add(receiver);
    return receiver;
  }

  static List<Outcome> receive(IdempotentReceiver<String> receiver, String... messages)
      throws InterruptedException {
    return receiver.receive(lane("p0", messages), PATIENCE);
  }

  final Mark mark(String id) {
    return marks.find(List.of(key(id))).get(0).orElseThrow();
  }

  final ClaimAnswer.Acquired claimedElsewhere(String id, boolean solo, Duration lease) {
    ClaimRequest request = new ClaimRequest(
        key(id),
        new Nonce(7, id.hashCode()),
        Fingerprint.NONE,
        new Origin("elsewhere", "p0@0"),
        new ClaimTerms(solo, true, ClaimTerms.ANY_TIME));
    return (ClaimAnswer.Acquired) marks.claim(List.of(request), lease).get(0);
  }
}
