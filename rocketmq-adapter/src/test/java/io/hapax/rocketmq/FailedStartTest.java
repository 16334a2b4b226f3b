package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starts that fail leave no consumer behind; brokers distinguish members by instance names. */
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
    await().until(() -> effects.contains("a"));
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
    await().until(() -> effects.contains("a"));
    assertThat(pulled.isRunning()).isTrue();
  }

  private RocketMqPullReceiver start(DefaultLitePullConsumer consumer) throws MQClientException {
    return open(pulling(consumer, this::record).subscribe(topic, ALL).start());
  }

  /** What the broker calls the members of the group: {@code address@instance}. */
  private List<String> members() throws Exception {
    return operator()
        .api()
        .getConsumerConnectionList(broker(), group, 10_000)
        .getConnectionSet()
        .stream()
        .map(connection -> connection.getClientId().split("@", -1)[1])
        .toList();
  }

  @Test
  void two_that_pull_keep_their_names_and_share_the_queues() throws Exception {
    createTopic(4);
    DefaultLitePullConsumer one = pullConsumer(group);
    DefaultLitePullConsumer two = pullConsumer(group);
    List<String> names = List.of("left-" + number, "right-" + number);
    one.setInstanceName(names.get(0));
    two.setInstanceName(names.get(1));

    start(one);
    start(two);

    await().untilAsserted(() -> assertThat(members()).containsExactlyInAnyOrderElementsOf(names));
    await().until(() -> one.assignment().size() == 2 && two.assignment().size() == 2);
    send(texts("m", 20));
    await().until(() -> count(Outcome.class) >= 20);
    assertThat(effects).doesNotHaveDuplicates();
    assertThat(count(Outcome.class)).isEqualTo(20);
  }

  @Test
  void an_instance_keeps_the_name_that_its_user_gave_it() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer received = consumer();
    DefaultMQPushConsumer wrapped = consumer();
    List<String> names = List.of(received.getInstanceName(), wrapped.getInstanceName());

    receive(received, this::record);
    start(
        wrapped,
        open(IdempotentConcurrentListener.wrap(wrapped, store, (messages, context) -> null)));

    assertThat(List.of(received.getInstanceName(), wrapped.getInstanceName())).isEqualTo(names);
    await().untilAsserted(() -> assertThat(members()).containsExactlyInAnyOrderElementsOf(names));
  }

  @Test
  void a_second_member_of_one_name_is_refused_and_the_first_continues() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer first = consumer();
    DefaultMQPushConsumer second = consumer();
    second.setInstanceName(first.getInstanceName());
    RocketMqReceiver receiver = receive(first, this::record);

    assertRefused(() -> receive(second, this::record));
    assertStillTakes();
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void nor_are_there_two_that_pull_of_the_same_name() throws Exception {
    createTopic(1);
    DefaultLitePullConsumer first = pullConsumer(group);
    DefaultLitePullConsumer second = pullConsumer(group);
    second.setInstanceName(first.getInstanceName());
    RocketMqPullReceiver receiver = start(first);

    assertRefused(() -> start(second));
    assertStillTakes();
    assertThat(receiver.problems()).isEmpty();
  }

  private void assertRefused(ThrowingCallable second) {
    assertThatThrownBy(second)
        .isInstanceOf(MQClientException.class)
        .hasMessageContaining("The consumer group[" + group + "] has been created before");
  }

  private void assertStillTakes() throws Exception {
    send("a");
    await().until(() -> effects.contains("a"));
  }

  @Test
  void a_consumer_without_an_instance_name_gets_a_unique_one() throws Exception {
    createTopic(2);
    List<DefaultMQPushConsumer> consumers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      DefaultMQPushConsumer consumer = consumer();
      consumer.setInstanceName("DEFAULT"); // as it is left
      receive(consumer, this::record);
      consumers.add(consumer);
    }

    await()
        .untilAsserted(() -> assertThat(members())
            .containsExactlyInAnyOrder(
                consumers.get(0).getInstanceName(), consumers.get(1).getInstanceName())
            .doesNotContain("DEFAULT"));
  }

  /** Accepts each connection at the address of a name server, and closes it without an answer. */
  static final class DeadNameServer implements AutoCloseable {

    private final ServerSocket socket;

    DeadNameServer() throws IOException {
      socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      Thread thread = new Thread(this::hangUp, "dead-name-server");
      thread.setDaemon(true);
      thread.start();
    }

    private void hangUp() {
      while (!socket.isClosed()) {
        try {
          socket.accept().close();
        } catch (IOException e) {
          return; // it was closed itself
        }
      }
    }

    String address() {
      return "127.0.0.1:" + socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
