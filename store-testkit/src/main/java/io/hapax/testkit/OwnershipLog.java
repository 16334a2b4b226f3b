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

/** Records the owner of each message, as the owners see it, and the first contradictions. */
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

  void acquired(Claim claim) {
    Message message = of(claim.key());
    synchronized (message) {
      message.owner.ifPresent(owner -> fault("acquired by " + claim + " while owned by " + owner));
      if (claim.token() <= message.token) {
        fault("acquired by " + claim + " after the token " + message.token);
      }
      message.owner = Optional.of(claim);
      message.token = Math.max(message.token, claim.token());
    }
    generations.incrementAndGet();
  }

  void released(Claim claim) {
    Message message = of(claim.key());
    synchronized (message) {
      message.owner = message.owner.filter(owner -> !owner.equals(claim));
    }
  }

  /** Forgets all owners, as if they had died and their leases had ended. */
  void forgetOwners() {
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
