package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Submission;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A broker's lanes, a store, a ledger of effects without a unique constraint, and two consumers
 * that come and go; all of it under faults drawn from one seed.
 */
class LossyWorld {

  static final String SCOPE = "orders";

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** An entry of the ledger. */
  record Effect(String id, long token, int attempt, boolean recovery) {}

  final TestClock clock = new TestClock();
  final LossyStore store;
  private final long seed;
  private final Random dice;
  private final List<Effect> ledger = new ArrayList<>();
  private final Set<String> counted = new HashSet<>();
  private final Set<String> lost = new HashSet<>();
  private final List<String> wrong = new ArrayList<>();

  LossyWorld(long seed) {
    this(seed, LossyStore::new);
  }

  LossyWorld(long seed, Function<InstantSource, LossyStore> opening) {
    this.seed = seed;
    this.store = opening.apply(clock);
    this.dice = new Random(seed);
  }

  synchronized boolean effect(Delivery<String> delivery) {
    return ledger.add(new Effect(
        delivery.messageId(), delivery.fencingToken(), delivery.attempt(), delivery.recovery()));
  }

  synchronized void counted(MessageKey key) {
    counted.add(key.id().toString());
  }

  /** Only marks of messages at work are lost: no consumer could notice the loss of a DONE mark. */
  synchronized void lose(MessageKey key) {
    if (store.loseUnlessDone(key)) {
      lost.add(key.id().toString());
    }
  }

  /** A crash explains what it left unsettled whose mark was lost: no process notices. */
  synchronized void crashed(Set<String> unsettled) {
    unsettled.stream().filter(lost::contains).forEach(counted::add);
  }

  private synchronized void wrong(String what) {
    wrong.add(what);
  }

  /** Delivers until every message is acknowledged; then gives its verdict. */
  void run() throws InterruptedException {
    List<Incoming<String>> open = messages();
    int deliveries = open.size();
    List<LossyConsumer> consumers = new ArrayList<>(List.of(consumer(), consumer()));
    try {
      for (int round = 0; !open.isEmpty(); round++) {
        assertThat(round).as("rounds with seed %d; left: %s", seed, open).isLessThan(300);
        open.removeAll(deliver(open, consumers));
        clock.advance(Duration.ofSeconds(dice.nextInt(4) == 0 ? 40 : 3));
        for (int i = 0; i < consumers.size(); i++) {
          if (consumers.get(i).crashed()) {
            consumers.get(i).close();
            consumers.set(i, consumer());
          }
        }
      }
    } finally {
      consumers.forEach(LossyConsumer::close);
    }
    verdict(deliveries);
  }

  private LossyConsumer consumer() {
    return consumer(dice.nextLong());
  }

  LossyConsumer consumer(long ownSeed) {
    return new LossyConsumer(this, ownSeed);
  }

  /** Three lanes; some messages come twice, in one lane or in two. */
  private List<Incoming<String>> messages() {
    List<Incoming<String>> all = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      int copies = 1 + dice.nextInt(5) / 3;
      for (int copy = 0; copy < copies; copy++) {
        String lane = "p" + dice.nextInt(3);
        all.add(new Incoming<>("m" + i, lane, lane + "@" + all.size(), false));
      }
    }
    return all;
  }

  /** To one consumer, or to both: one of them has lost its partitions and does not know. */
  private List<Incoming<String>> deliver(List<Incoming<String>> open, List<LossyConsumer> consumers)
      throws InterruptedException {
    List<Incoming<String>> messages = List.copyOf(open);
    Collection<Incoming<String>> acknowledged = new HashSet<>();
    List<LossyConsumer> taking =
        dice.nextBoolean() ? consumers : List.of(consumers.get(dice.nextInt(2)));
    Map<LossyConsumer, Submission> submissions = new HashMap<>();
    for (LossyConsumer consumer : taking) {
      submissions.put(consumer, consumer.submit(messages, (index, outcome) -> {
        if (outcome.mayAcknowledge()) {
          acknowledge(messages.get(index), acknowledged);
        }
      }));
    }
    for (Map.Entry<LossyConsumer, Submission> each : submissions.entrySet()) {
      awaitOrCrash(each.getKey(), each.getValue());
    }
    synchronized (this) {
      return List.copyOf(acknowledged);
    }
  }

  private synchronized void acknowledge(
      Incoming<String> message, Collection<Incoming<String>> acknowledged) {
    if (!store.done(MessageKey.of(SCOPE, message.message()))) {
      wrong(message.message() + " was acknowledged and is not done");
    }
    acknowledged.add(message);
  }

  private void awaitOrCrash(LossyConsumer consumer, Submission submission)
      throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!submission.await(Duration.ofMillis(5))) {
      if (consumer.crashed()) {
        consumer.close();
        return;
      }
      assertThat(System.nanoTime()).as("a submission hangs, seed %d", seed).isLessThan(end);
    }
  }

  private synchronized void verdict(int deliveries) {
    Map<String, Integer> effects = new HashMap<>();
    ledger.forEach(effect -> effects.merge(effect.id(), 1, Integer::sum));
    assertThat(wrong).as("early acks, seed %d", seed).isEmpty();
    assertThat(effects.keySet())
        .as("messages that took effect, of %d deliveries, seed %d", deliveries, seed)
        .containsAll(IntStream.range(0, 30).mapToObj(i -> "m" + i).toList());
    assertThat(effects.entrySet().stream()
            .filter(each -> each.getValue() > 1)
            .map(Map.Entry::getKey)
            .filter(id -> !counted.contains(id))
            .toList())
        .as("repeats that nothing explains, seed %d, ledger %s", seed, ledger)
        .isEmpty();
  }

  synchronized int repeats() {
    return ledger.size() - (int) ledger.stream().map(Effect::id).distinct().count();
  }
}
