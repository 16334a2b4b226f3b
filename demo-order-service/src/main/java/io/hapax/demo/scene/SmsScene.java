package io.hapax.demo.scene;

import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.demo.scene.EventTopic.Subscription;
import io.hapax.store.DedupStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An SMS takes longer than the broker waits, so the broker delivers the event to a second consumer
 * while the first one still works. The lease of the first one is renewed, and the second one waits
 * until the event is done. Without Hapax a lock that was written by hand expires in the meantime.
 *
 * @param redis the address of a Redis server for that lock, which only {@link Variant#NAIVE} uses
 */
record SmsScene(String redis) implements Scene {

  private static final OrderEvent EVENT = OrderEvent.of("order-1", "SHIPPED", 0);
  private static final LeaseSettings LEASE = LeaseSettings.of(Duration.ofSeconds(4));
  private static final Duration BROKER = Duration.ofSeconds(3);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Sorts behind the other one, which therefore takes over its partition. */
  private static final Member FIRST = new Member("b-first", BROKER);

  private static final Member SECOND = new Member("a-second", BROKER);

  @Override
  public String title() {
    return "slow SMS";
  }

  @Override
  public SceneResult play(Stage stage, Variant variant) throws Exception {
    SmsProvider provider = new SmsProvider();
    try (EventTopic<?> topic = stage.topic("sms", 1)) {
      if (variant == Variant.HAPAX) {
        withLease(stage, topic, provider);
      } else {
        withLock(topic, provider);
      }
    }
    return SceneResult.count(List.of(EVENT.orderId()), provider.sent());
  }

  /** The provider answers after the second consumer has waited for two leases. */
  private static <M> void withLease(Stage stage, EventTopic<M> topic, SmsProvider provider)
      throws IOException, InterruptedException {
    Settled bySecond = new Settled();
    try (DedupStore marks = stage.marksOfAnotherProcess().get();
        Subscription first = lease(stage.marks(), topic, provider, new Settled(), FIRST)) {
      topic.send(List.of(EVENT));
      awaitCall(provider);
      try (Subscription second = lease(marks, topic, provider, bySecond, SECOND)) {
        bySecond.awaitBusy();
        TimeUnit.MILLISECONDS.sleep(LEASE.lease().multipliedBy(2).toMillis());
        provider.answer();
        bySecond.await(1);
      }
    }
  }

  private static <M> Subscription lease(
      DedupStore marks, EventTopic<M> topic, SmsProvider provider, Settled settled, Member member)
      throws IOException {
    IdempotentReceiver<M> receiver = topic
        .receiver()
        .listener(settled)
        .lease(LEASE)
        .leased(marks, delivery -> provider.send(topic.event(delivery.message()).orderId()));
    return answering(provider, topic.read(receiver, member));
  }

  /** Lets the provider answer when a member ends, so that its handler ends. */
  private static Subscription answering(SmsProvider provider, Subscription reading) {
    return () -> {
      provider.answer();
      reading.close();
    };
  }

  /** The provider answers after the second consumer has got the lock. */
  private void withLock(EventTopic<?> topic, SmsProvider provider)
      throws IOException, InterruptedException {
    try (RedisLock lock = new RedisLock(redis, topic.name());
        Subscription first = lock(topic, lock, provider, FIRST)) {
      topic.send(List.of(EVENT));
      awaitCall(provider);
      try (Subscription second = lock(topic, lock, provider, SECOND)) {
        boolean unused = provider.awaitCall(TIMEOUT); // the result counts the calls
      }
    }
  }

  private static Subscription lock(
      EventTopic<?> topic, RedisLock lock, SmsProvider provider, Member member) throws IOException {
    EventTopic.NaiveHandler handler = event -> {
      if (!lock.isDone(event.id())) {
        sendLocked(lock, provider, event);
      }
    };
    return answering(provider, topic.readNaively(handler, new Settled(), member));
  }

  private static void sendLocked(RedisLock lock, SmsProvider provider, OrderEvent event)
      throws IOException, InterruptedException {
    if (!lock.tryLock(event.id())) {
      throw new IOException(event.id() + " is locked by another consumer");
    }
    provider.send(event.orderId());
    lock.markDone(event.id());
    lock.unlock(event.id());
  }

  private static void awaitCall(SmsProvider provider) throws InterruptedException {
    if (!provider.awaitCall(TIMEOUT)) {
      throw new IllegalStateException("no consumer sent an SMS within " + TIMEOUT);
    }
  }
}
