package io.hapax.bench;

import io.hapax.IdempotentReceiver;
import io.hapax.bench.RocketMqCommand.Subject;
import io.hapax.rocketmq.IdempotentConcurrentListener;
import io.hapax.rocketmq.IdempotentOrderlyListener;
import io.hapax.rocketmq.RocketMqDeadLetterPublisher;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * The listener of a subject on its consumer. The user's handler does nothing. Counts the messages
 * that it acknowledges, from its first message on.
 */
final class RocketMqListener implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final DefaultMQPushConsumer consumer;
  private final Servers servers;
  private final int messages;
  private final LongAdder done = new LongAdder();
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch last = new CountDownLatch(1);
  private volatile boolean over;
  private String cpu = "";
  private AutoCloseable ending = () -> {};
  private AutoCloseable after = () -> {};

  RocketMqListener(DefaultMQPushConsumer consumer, Servers servers, int messages) {
    this.consumer = consumer;
    this.servers = servers;
    this.messages = messages;
  }

  void register(Subject subject, boolean orderly) throws Exception {
    Consumer<List<MessageExt>> handler = subject == Subject.ONE_BY_ONE ? oneByOne() : all -> {};
    if (orderly) {
      registerOrderly(subject, handler);
    } else {
      registerConcurrently(subject, handler);
    }
  }

  private void registerConcurrently(Subject subject, Consumer<List<MessageExt>> handler)
      throws Exception {
    MessageListenerConcurrently users = (messages, context) -> {
      handler.accept(messages);
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    };
    MessageListenerConcurrently listener = switch (subject) {
      case BARE, ONE_BY_ONE -> users;
      case MEMORY, REDIS ->
        ending(IdempotentConcurrentListener.wrap(consumer, servers.store(subject.store()), users));
      case POSTGRES -> ending(IdempotentConcurrentListener.of(consumer, transactional()));
    };
    consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> counted(
        ConsumeConcurrentlyStatus.CONSUME_SUCCESS,
        () -> listener.consumeMessage(messages, context),
        () -> (int) Math.min(messages.size(), context.getAckIndex() + 1L)));
  }

  private void registerOrderly(Subject subject, Consumer<List<MessageExt>> handler)
      throws Exception {
    MessageListenerOrderly users = (messages, context) -> {
      handler.accept(messages);
      return ConsumeOrderlyStatus.SUCCESS;
    };
    MessageListenerOrderly listener = switch (subject) {
      case BARE, ONE_BY_ONE -> users;
      case MEMORY, REDIS ->
        ending(IdempotentOrderlyListener.wrap(consumer, servers.store(subject.store()), users));
      case POSTGRES -> ending(IdempotentOrderlyListener.of(consumer, transactional()));
    };
    consumer.registerMessageListener((MessageListenerOrderly) (messages, context) -> counted(
        ConsumeOrderlyStatus.SUCCESS,
        () -> listener.consumeMessage(messages, context),
        messages::size));
  }

  /**
   * Calls the listener of the subject, and counts the messages that it has acknowledged. After the
   * end of the measurement it acknowledges them without a call.
   */
  private <S extends Enum<S>> S counted(S success, Supplier<S> listener, IntSupplier acknowledged) {
    first.countDown();
    if (over) {
      return success;
    }
    S status = listener.get();
    if (status == success) {
      done.add(acknowledged.getAsInt());
      if (done.sum() >= messages) {
        last.countDown();
      }
    }
    return status;
  }

  /**
   * Returns messages a second until all are acknowledged or the limit is reached. What arrives
   * before the rate is steady does not count, unless that is all.
   */
  double rate(Duration untilSteady, Duration limit) throws InterruptedException {
    if (!first.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no message came within " + PATIENCE_SECONDS + " s");
    }
    CpuTime cpuBefore = CpuTime.now();
    long begin = System.nanoTime();
    long before = 0;
    var unused = last.await(untilSteady.toMillis(), TimeUnit.MILLISECONDS);
    CpuTime cpuThen = CpuTime.now();
    long early = done.sum();
    if (early < messages) {
      cpuBefore = cpuThen;
      begin = System.nanoTime();
      before = early;
    }
    unused = last.await(limit.toMillis() + 1, TimeUnit.MILLISECONDS);
    over = true;
    long count = done.sum() - before;
    double seconds = (System.nanoTime() - begin) / 1e9;
    if (count == 0) {
      throw new IllegalStateException("nothing was acknowledged within " + limit);
    }
    cpu = new CpuTime(Map.of()).plus(cpuBefore, CpuTime.now()).text(count);
    return count / seconds;
  }

  String cpu() {
    return cpu;
  }

  private IdempotentReceiver<MessageExt> transactional() throws Exception {
    IdempotentReceiver<MessageExt> receiver = IdempotentReceiver.<MessageExt>builder(
            consumer.getConsumerGroup())
        .id(RocketMqIds.standard())
        .fingerprint(RocketMqFingerprints.body())
        .workers(consumer.getConsumeThreadMax())
        .deadLetters(RocketMqDeadLetterPublisher.of(consumer))
        .transactional(servers.postgres().store(), (connection, deliveries) -> {});
    after = receiver;
    return receiver;
  }

  private Consumer<List<MessageExt>> oneByOne() throws Exception {
    Consumer<String> check = servers.redis().byHand();
    String prefix = consumer.getConsumerGroup() + '/';
    return messages -> messages.forEach(message -> check.accept(prefix + message.getKeys()));
  }

  private <L extends AutoCloseable> L ending(L listener) {
    ending = listener;
    return listener;
  }

  @Override
  public void close() throws Exception {
    consumer.suspend();
    ending.close();
    consumer.shutdown();
    after.close();
  }
}
