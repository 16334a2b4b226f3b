package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Who owns each message, as its owners believe; the first beliefs that contradict are kept. */
final class OwnershipLog {

  private static final int ENOUGH = 10;

  private static final class Message {
    private Optional<Claim> owner = Optional.empty();
    private long token;
  }

  private final Map<MessageKey, Message> messages;
  private final AtomicInteger generations = new AtomicInteger();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();

  OwnershipLog(List<MessageKey> keys) {
    messages = keys.stream().collect(Collectors.toMap(Function.identity(), key -> new Message()));
  }

  private Message of(MessageKey key) {
    return Optional.ofNullable(messages.get(key)).orElseThrow();
  }

  void won(Claim claim) {
    Message message = of(claim.key());
    synchronized (message) {
      message.owner.ifPresent(owner -> fault("won by " + claim + " while it belongs to " + owner));
      if (claim.token() <= message.token) {
        fault("won by " + claim + " although there was a token " + message.token);
      }
      message.owner = Optional.of(claim);
      message.token = Math.max(message.token, claim.token());
    }
    generations.incrementAndGet();
  }

  void leaves(Claim claim) {
    Message message = of(claim.key());
    synchronized (message) {
      message.owner = message.owner.filter(owner -> !owner.equals(claim));
    }
  }

  /** All owners die, and are forgotten when their leases are over. */
  void allVanish() {
    messages.values().forEach(message -> {
      synchronized (message) {
        message.owner = Optional.empty();
      }
    });
  }

  List<MessageKey> withoutOwner() {
    return messages.entrySet().stream()
        .filter(entry -> {
          synchronized (entry.getValue()) {
            return entry.getValue().owner.isEmpty();
          }
        })
        .map(Map.Entry::getKey)
        .toList();
  }

  void fault(String what) {
    if (faults.size() < ENOUGH) {
      faults.add(what);
    }
  }

  List<String> faults() {
    return List.copyOf(faults);
  }

  int generations() {
    return generations.get();
  }

  void assertHeld(Mark mark) {
    Message message = of(mark.key());
    synchronized (message) {
      assertThat(mark.claim()).isEqualTo(message.owner.orElseThrow());
    }
  }
}
