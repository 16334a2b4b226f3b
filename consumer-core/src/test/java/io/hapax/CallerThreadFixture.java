package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.policy.ConflictPolicy;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records on which thread the code of a receiver runs. */
abstract class CallerThreadFixture extends TransactionFixture {

  static final ProbeSettings AT_ONCE = new ProbeSettings(Duration.ofSeconds(20), Duration.ZERO);

  /** The threads by what ran on them. */
  final Map<String, Set<Thread>> threads = new ConcurrentHashMap<>();

  final List<List<?>> claims = new CopyOnWriteArrayList<>();

  final Fault watched = (verb, items, call) -> {
    ran(verb);
    if (verb.equals("claim") && !items.isEmpty()) {
      claims.add(items);
    }
    return call.go();
  };

  final DedupStore store = faulty(watched);

  void ran(String what) {
    threads.computeIfAbsent(what, any -> ConcurrentHashMap.newKeySet()).add(Thread.currentThread());
  }

  void assertRanHere(String... what) {
    for (String each : what) {
      assertThat(threads.get(each)).as(each).containsExactly(Thread.currentThread());
    }
  }

  void assertRanElsewhere(String... what) {
    for (String each : what) {
      assertThat(threads.get(each)).as(each).isNotEmpty().doesNotContain(Thread.currentThread());
    }
  }

  ReceiverBuilder<String> watching() {
    return builder()
        .id(text -> {
          ran("id");
          return idIn(text);
        })
        .fingerprint(text -> {
          ran("fingerprint");
          return Fingerprint.of(Bytes.utf8(text).toByteArray());
        })
        .onDuplicate((message, result) -> ran("duplicate"))
        .onConflict(conflict -> {
          ran("conflict");
          return ConflictPolicy.Decision.DEAD_LETTER;
        })
        .deadLetters(letter -> {
          ran("publisher");
          buried.add(letter);
        });
  }

  static List<Outcome> receive(IdempotentReceiver<String> receiver, List<Incoming<String>> messages)
      throws InterruptedException {
    return receiver.receiveOnCallerThread(messages, PATIENCE);
  }
}
