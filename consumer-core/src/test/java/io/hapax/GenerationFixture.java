package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.generation.GenerationMove;
import io.hapax.generation.Generations;
import io.hapax.mark.ConsumerScope;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Receivers that watch their generation, over a store that on demand does not let it be read. */
abstract class GenerationFixture extends FaultFixture {

  static final LeaseSettings OFTEN =
      new LeaseSettings(Duration.ofSeconds(30), Duration.ofMillis(20), Duration.ofSeconds(5));
  static final LeaseSettings SELDOM =
      new LeaseSettings(Duration.ofHours(9), Duration.ofHours(2), Duration.ofSeconds(5));

  final AtomicInteger finds = new AtomicInteger();
  final AtomicInteger claims = new AtomicInteger();
  final AtomicBoolean unreadable = new AtomicBoolean();
  final AtomicBoolean emptied = new AtomicBoolean();
  final AtomicBoolean hanging = new AtomicBoolean();
  final AtomicBoolean away = new AtomicBoolean();
  final CountDownLatch hangs = new CountDownLatch(1);
  final CountDownLatch mayAnswer = new CountDownLatch(1);
  final AtomicLong nanos = new AtomicLong();
  final List<String> moves = new CopyOnWriteArrayList<>();

  /** Counts, and on demand does not let itself be read, or has lost what there is to read. */
  final DedupStore store = faulty((verb, items, call) -> {
    claims.addAndGet(verb.equals("claim") ? 1 : 0);
    return verb.equals("find")
        ? found(items, call)
        : verb.equals("retention") ? call.go() : answered(call);
  });

  private Object found(List<?> items, Call call) throws Throwable {
    finds.incrementAndGet();
    if (unreadable.get()) {
      throw new StoreException("no permissions to run 'hmget'");
    }
    Object found = emptied.get() ? items.stream().map(any -> Optional.empty()).toList() : call.go();
    if (hanging.get()) {
      hangs.countDown();
      mayAnswer.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    return away.get() ? answered(call) : found;
  }

  private Object answered(Call call) throws Throwable {
    if (away.get()) {
      throw new StoreException("connection refused");
    }
    return call.go();
  }

  final IdempotentReceiver<String> receiver(LeaseSettings lease) {
    return open(builder()
        .lease(lease)
        .listener(new ReceiverListener() {
          @Override
          public void onGenerationMoved(int was, int now) {
            moves.add(was + " -> " + now);
          }
        })
        .leased(store, this::record));
  }

  static void handled(IdempotentReceiver<String> receiver, String... messages)
      throws InterruptedException {
    assertThat(receive(receiver, messages)).allMatch(Outcome::mayAcknowledge);
  }

  final void move(int expected) {
    assertThat(Generations.advance(marks, SCOPE, expected))
        .isEqualTo(new GenerationMove.Moved(expected + 1));
  }

  final MarkState state(int generation, String id) {
    MessageKey key = MessageKey.of(new ConsumerScope(SCOPE, generation).joined(), id);
    return marks.find(List.of(key)).get(0).orElseThrow().state();
  }
}
