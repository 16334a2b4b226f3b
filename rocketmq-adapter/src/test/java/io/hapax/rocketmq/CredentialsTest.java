package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.errors.RejectedMessageException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.impl.MQClientManager;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.RequestCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a consumer's user signs, and over what: also what Hapax asks and sends for it. */
@Timeout(120)
class CredentialsTest extends WithConsumers {

  /** Signs nothing; notes the codes of the requests that it is asked to sign. */
  private static final class Signer implements RPCHook {

    private final Set<Integer> signed = ConcurrentHashMap.newKeySet();

    @Override
    public void doBeforeRequest(String address, RemotingCommand request) {
      signed.add(request.getCode());
    }

    @Override
    public void doAfterResponse(
        String address, RemotingCommand request, RemotingCommand response) {}
  }

  private final Signer signer = new Signer();

  private DefaultMQPushConsumer signing() throws Exception {
    DefaultMQPushConsumer consumer = client(new DefaultMQPushConsumer(group, signer));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(topic, ALL);
    return consumer;
  }

  @Test
  void group_checks_and_dead_letters_use_the_hook_of_the_consumer() throws Exception {
    createTopic(1);
    send("poison");
    DefaultMQPushConsumer consumer = signing();
    consumer.registerMessageListener(
        open(IdempotentConcurrentListener.wrap(consumer, store, (messages, context) -> {
          throw new RejectedMessageException("no such item");
        })));
    start(consumer);

    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(signer.signed)
            .contains(
                RequestCode.GET_SUBSCRIPTIONGROUP_CONFIG,
                RequestCode.GET_BROKER_CONFIG,
                RequestCode.UPDATE_AND_CREATE_TOPIC,
                RequestCode.SEND_MESSAGE_V2));
  }

  /** As everything goes that the consumer itself sends: hook, TLS and time-outs are that one's. */
  @SuppressWarnings("deprecation") // announced to go since 2020, and still the only way
  @Test
  void they_go_through_the_connection_of_the_consumer() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = signing();
    consumer.registerMessageListener(open(IdempotentConcurrentListener.wrap(
        consumer, store, (messages, context) -> ConsumeConcurrentlyStatus.CONSUME_SUCCESS)));
    start(consumer);
    ClientInternals internals = new ClientInternals(consumer);

    assertThat(internals
            .producer()
            .getDefaultMQProducerImpl()
            .getMqClientFactory()
            .getMQClientAPIImpl())
        .isSameAs(internals.api())
        .isSameAs(MQClientManager.getInstance()
            .getOrCreateMQClientInstance(consumer)
            .getMQClientAPIImpl());
  }
}
