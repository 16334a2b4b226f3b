package io.hapax.rocketmq;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * A listener with the usual loop, which answers {@code RECONSUME_LATER} at the first message that
 * fails. "never" fails always and "once" at its first run in this process. Each other message
 * writes its effect to the shop, reports it, and takes a permit before it ends.
 */
final class LoopListener implements MessageListenerConcurrently {

  private final Shop shop;
  private final Runnable afterEffect;
  private final Semaphore mayEnd;
  private final AtomicBoolean failedOnce = new AtomicBoolean();

  LoopListener(Shop shop, Runnable afterEffect, int mayEnd) {
    this.shop = shop;
    this.afterEffect = afterEffect;
    this.mayEnd = new Semaphore(mayEnd);
  }

  @Override
  public ConsumeConcurrentlyStatus consumeMessage(
      List<MessageExt> messages, ConsumeConcurrentlyContext context) {
    for (MessageExt message : messages) {
      if (!apply(WithConsumers.body(message))) {
        return ConsumeConcurrentlyStatus.RECONSUME_LATER;
      }
    }
    return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
  }

  private boolean apply(String body) {
    if (body.equals("never") || (body.equals("once") && failedOnce.compareAndSet(false, true))) {
      return false;
    }
    try {
      shop.write(body);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    afterEffect.run();
    mayEnd.acquireUninterruptibly();
    return true;
  }
}
