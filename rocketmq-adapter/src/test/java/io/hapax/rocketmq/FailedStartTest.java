package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A start that fails leaves no consumer behind. */
@Timeout(180)
class FailedStartTest extends WithConsumers {

  private RocketMqPullReceiver.Builder pulling(DefaultLitePullConsumer consumer) {
    return pulling(consumer, this::record);
  }

  /** The client takes no second consumer of a group under the name of one that runs. */
  private void requireNobodyRunsAs(String instanceName) throws Exception {
    DefaultMQPushConsumer next = consumer();
    next.setInstanceName(instanceName);
    receive(next, this::record);
    send("a");
    await().atMost(BOUND).until(() -> effects.contains("a"));
  }

  @Test
  void an_unanswering_name_server_is_reported_as_the_clients_failure() throws Exception {
    createTopic(1);
    DeadNameServer dead = open(new DeadNameServer());
    DefaultMQPushConsumer consumer = consumer();
    consumer.setNamesrvAddr(dead.address());

    assertThatThrownBy(() -> receive(consumer, this::record))
        .isInstanceOf(MQClientException.class)
        .hasMessageContaining("the name server does not answer: ");

    requireNobodyRunsAs(consumer.getInstanceName());
  }

  @Test
  void so_it_is_for_a_consumer_that_pulls() throws Exception {
    createTopic(1);
    DeadNameServer dead = open(new DeadNameServer());
    DefaultLitePullConsumer shared = pullConsumer(group);
    shared.setNamesrvAddr(dead.address());
    DefaultLitePullConsumer alone = pullConsumer(group);
    alone.setNamesrvAddr(dead.address());

    assertThatThrownBy(() -> pulling(shared).subscribe(topic, ALL).start())
        .isInstanceOf(MQClientException.class)
        .hasMessageContaining("the name server does not answer: ");
    assertThatThrownBy(() -> pulling(alone).assign(topic).start())
        .isInstanceOf(MQClientException.class)
        .hasMessageContaining("the name server does not answer: ");

    assertThat(shared.isRunning()).isFalse();
    assertThat(alone.isRunning()).isFalse();
    requireNobodyRunsAs(alone.getInstanceName());
  }

  /** As the clients before RocketMQ 5.3.2 do when they lose the name server in their start. */
  private static final class RunsOn extends DefaultMQPushConsumer {

    RunsOn(String group) {
      super(group);
    }

    @Override
    public void start() throws MQClientException {
      super.start();
      throw new IllegalStateException(new RemotingConnectException("127.0.0.1:1"));
    }
  }

  @Test
  void a_consumer_that_runs_on_when_its_start_fails_is_shut_down() throws Exception {
    createTopic(1);
    RunsOn consumer = client(new RunsOn(group));
    consumer.subscribe(topic, ALL);

    assertThatThrownBy(() -> receive(consumer, this::record))
        .isInstanceOf(MQClientException.class)
        .hasMessageContaining("the name server does not answer: ");

    requireNobodyRunsAs(consumer.getInstanceName());
  }

  @Test
  void a_consumer_that_runs_already_is_refused_and_runs_on() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    receive(consumer, this::record);
    DefaultLitePullConsumer pulled = pullConsumer("pullers");
    pulled.start();
    open((AutoCloseable) pulled::shutdown);

    assertThatThrownBy(() -> receive(consumer, this::record))
        .isInstanceOf(MQClientException.class)
        .hasMessageContaining("runs already");
    assertThatThrownBy(() -> pulling(pulled).subscribe(topic, ALL).start())
        .isInstanceOf(MQClientException.class)
        .hasMessageContaining("runs already");

    send("a");
    await().atMost(BOUND).until(() -> effects.contains("a"));
    assertThat(pulled.isRunning()).isTrue();
  }
}
