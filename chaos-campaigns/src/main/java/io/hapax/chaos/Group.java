package io.hapax.chaos;

import io.hapax.demo.OrderChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** The consumer processes that work at once, as the members of one group. */
final class Group implements AutoCloseable {

  private static final long TICK_MILLIS = 50;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** RocketMQ's lag takes some dozens of requests. */
  private static final Duration ASK_EVERY = Duration.ofMillis(500);

  private final Consumers consumers;
  private final OrderBroker broker;
  private final List<ConsumerProcess> members = new ArrayList<>();

  Group(Consumers consumers, OrderBroker broker) {
    this.consumers = consumers;
    this.broker = broker;
  }

  List<ConsumerProcess> members() {
    return List.copyOf(members);
  }

  /** Starts a member that pauses after a number of effects. */
  ConsumerProcess start(long pauseAfter) throws IOException {
    ConsumerProcess member = consumers.start(pauseAfter);
    members.add(member);
    return member;
  }

  void grow(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      start(Long.MAX_VALUE);
    }
  }

  ConsumerProcess any(Random random) {
    return members.get(random.nextInt(members.size()));
  }

  void forget(ConsumerProcess member) {
    members.remove(member);
    member.close();
  }

  void leave(ConsumerProcess member) throws IOException, InterruptedException {
    member.stop();
    members.remove(member);
  }

  interface Step {
    void on(ConsumerProcess member) throws IOException, InterruptedException;
  }

  void each(Step step) throws IOException, InterruptedException {
    for (ConsumerProcess member : members()) {
      step.on(member);
    }
  }

  void stop() throws IOException, InterruptedException {
    each(ConsumerProcess::requestStop);
    each(this::leave);
  }

  /** Waits until every member has begun to read, and the broker has assigned partitions to it. */
  void awaitComplete() throws IOException, InterruptedException {
    mustHold(
        "the group is not complete",
        () -> members.stream().allMatch(member -> member.reports().ready())
            && broker.isComplete(members.size()));
  }

  /** Waits until a condition holds. Fails if a member ends, or after a time. */
  void mustHold(String problem, Condition condition) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!condition.holds()) {
      each(ConsumerProcess::mustRun);
      if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
        throw new IllegalStateException(
            problem + " after " + TIMEOUT.toSeconds() + " s: " + members.get(0).endOfLog());
      }
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
  }

  /** Returns false if the group has read everything, and the member had no batch. */
  boolean awaitPaused(ConsumerProcess member, long request)
      throws IOException, InterruptedException {
    return await(() -> member.reports().awaitPaused(request, TICK_MILLIS));
  }

  void awaitEnd() throws IOException, InterruptedException {
    awaitMoreThan(Integer.MAX_VALUE);
  }

  /** Waits until the group settles more than this number of messages, or has read everything. */
  void awaitMoreThan(int settled) throws IOException, InterruptedException {
    boolean unused = await(() -> {
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
      return consumers.settled() > settled;
    });
  }

  interface Condition {
    boolean holds() throws InterruptedException;
  }

  /** Waits until a condition holds, or the group has read everything: then it returns false. */
  boolean await(Condition condition) throws IOException, InterruptedException {
    int settled = -1;
    long since = System.nanoTime();
    long asked = since - ASK_EVERY.toNanos();
    while (!condition.holds()) {
      each(ConsumerProcess::mustRun);
      long now = System.nanoTime();
      if (consumers.settled() != settled) {
        settled = consumers.settled();
        since = now;
      }
      if (now - asked >= ASK_EVERY.toNanos()) {
        asked = now;
        long lag = broker.lag(OrderChannel.GROUP);
        if (lag == 0) {
          return condition.holds();
        }
        if (now - since > TIMEOUT.toNanos()) {
          throw new IllegalStateException("no progress for " + TIMEOUT.toSeconds() + " s, at lag "
              + lag + ": " + members.get(0).endOfLog());
        }
      }
    }
    return true;
  }

  @Override
  public void close() {
    members.forEach(ConsumerProcess::close);
  }
}
