package io.hapax.chaos;

import org.apache.rocketmq.client.hook.ConsumeMessageContext;
import org.apache.rocketmq.client.hook.ConsumeMessageHook;

/** Counts the messages that the RocketMQ client passes to any listener. */
final class PulledMessages implements ConsumeMessageHook {

  private final Reports reports;

  PulledMessages(Reports reports) {
    this.reports = reports;
  }

  @Override
  public String hookName() {
    return "demo";
  }

  @Override
  public void consumeMessageBefore(ConsumeMessageContext context) {
    reports.polled(context.getMsgList().size());
  }

  @Override
  public void consumeMessageAfter(ConsumeMessageContext context) {}
}
