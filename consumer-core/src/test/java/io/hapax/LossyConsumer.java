package io.hapax;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Submission;
import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Settlement;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * One consumer process of a run with faults: a receiver whose calls to the store get lost, whose
 * handler does what its dice say, and which may crash. After that nothing of it reaches the world.
 */
class LossyConsumer implements ReceiverListener, AutoCloseable {

  private static final Duration PAST_ALL_LEASES = Duration.ofSeconds(31);

  private final LossyWorld world;
  private final Random dice;
  private final IdempotentReceiver<String> receiver;
  private final Set<String> effects = new HashSet<>();
  private final Set<String> settled = new HashSet<>();
  private boolean crashed;

  LossyConsumer(LossyWorld world, long seed) {
    this.world = world;
    this.dice = new Random(seed);
    this.receiver = IdempotentReceiver.<String>builder(LossyWorld.SCOPE)
        .noFingerprint()
        .id(text -> Optional.of(Bytes.utf8(text)))
        .retry(new RetrySettings(1_000, Duration.ofSeconds(1), Duration.ofSeconds(2)))
        .drainTimeout(Duration.ZERO)
        .workers(3)
        .listener(this)
        .leased(network(), this::handle);
  }

  Submission submit(List<Incoming<String>> messages, Submission.OutcomeSink sink) {
    return receiver.submit(messages, (index, outcome) -> {
      synchronized (this) {
        if (!crashed) {
          sink.accept(index, outcome);
        }
      }
    });
  }

  synchronized boolean crashed() {
    return crashed;
  }

  /** What took effect here and was never settled: only that may be repeated because of a crash. */
  synchronized Set<String> unsettled() {
    Set<String> unsettled = new HashSet<>(effects);
    unsettled.removeAll(settled);
    return unsettled;
  }

  private synchronized boolean one(int in) {
    return dice.nextInt(in) == 0;
  }

  private void handle(Delivery<String> delivery) throws Exception {
    if (one(30)) {
      throw new NotAppliedException("refused before anything was done");
    }
    if (one(30)) {
      world.clock.advance(PAST_ALL_LEASES);
    }
    synchronized (this) {
      if (crashed) {
        return;
      }
      if (world.effect(delivery)) {
        effects.add(delivery.messageId());
      }
    }
    if (one(40)) {
      world.lose(delivery.claim().key());
    }
    if (one(30)) {
      world.clock.advance(PAST_ALL_LEASES);
    }
    if (one(30)) {
      throw new IllegalStateException("who knows whether it took effect");
    }
    if (one(60)) {
      crash();
    }
  }

  private synchronized void crash() {
    if (!crashed) {
      crashed = true;
      world.crashed(unsettled());
    }
  }

  private DedupStore network() {
    return (DedupStore) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {DedupStore.class}, (self, method, args) -> {
          boolean verb = Set.of("claim", "renew", "settle", "now").contains(method.getName());
          if (verb && one(12)) {
            return lost("the call was lost", method.getName(), args);
          }
          Object reply = method.getName().equals("hashCode")
              ? (Object) System.identityHashCode(self)
              : method.getName().equals("equals")
                  ? (Object) (self == args[0])
                  : reach(() -> method.invoke(world.store, args), verb, args);
          if (verb && one(12)) {
            return lost("the reply was lost", method.getName(), args);
          }
          return reply;
        });
  }

  /** What the receiver gets for a lost call, or for a call with a lost reply. */
  Object lost(String what, String verb, Object[] args) {
    throw new StoreException(what);
  }

  private interface Call {
    Object go() throws IllegalAccessException, InvocationTargetException;
  }

  private synchronized Object reach(Call call, boolean verb, Object[] args) throws Throwable {
    if (verb && crashed) {
      throw new StoreException("crashed");
    }
    try {
      Object reply = call.go();
      if (verb && args[0] instanceof List<?> items) {
        items.stream()
            .filter(Settlement.class::isInstance)
            .map(it -> ((Settlement) it).claim().key())
            .filter(world.store::done)
            .forEach(key -> settled.add(key.id().toString()));
      }
      return reply;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {
    count(key);
  }

  @Override
  public void onFenced(MessageKey key, long token) {
    count(key);
  }

  @Override
  public void onMarkLost(MessageKey key, long token) {
    count(key);
  }

  private synchronized void count(MessageKey key) {
    if (!crashed) {
      world.counted(key);
    }
  }

  @Override
  public void close() {
    receiver.close();
  }
}
