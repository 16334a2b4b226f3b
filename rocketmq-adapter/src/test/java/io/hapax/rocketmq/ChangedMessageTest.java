package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Outcome;
import io.hapax.policy.ConflictPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Handlers change the message that they get. A second call must not see what the first one did. */
@Timeout(180)
class ChangedMessageTest extends WithConsumers {

  @TempDir
  private Path directory;

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final List<String> buried = new CopyOnWriteArrayList<>();

  /** Records what the message holds, and changes all of it, the id too. */
  private void change(MessageExt message) {
    seen.add(body(message) + message.getUserProperty("status"));
    message.getBody()[0] = 'X';
    message.setKeys("another id");
    message.putUserProperty("status", "ACCEPT");
  }

  private void bury(DeadLetter<MessageExt> letter) {
    buried.add(body(letter.message()) + letter.message().getUserProperty("status"));
  }

  @Test
  void a_copy_has_all_that_the_message_has_and_shares_no_array() throws Exception {
    createTopic(1);
    sendTo(0, "a");

    for (MessageExt message : read(topic, 1)) {
      MessageExt copy = MessageCopies.copy(message);
      assertThat(copy).hasSameClassAs(message).usingRecursiveComparison().isEqualTo(message);
      change(copy);
      assertThat(body(message)).isEqualTo("a");
      assertThat(message.getKeys()).isEqualTo("a");
    }
  }

  @Test
  void an_orderly_queue_is_tried_again_with_messages_as_they_were_sent() throws Exception {
    createTopic(1);
    sendTo(0, "a", "b");
    DefaultMQPushConsumer consumer = consumer();
    open(RocketMqReceiver.builder(
            open(builder(this::bury).leased(store, delivery -> {
              change(delivery.message());
              throw new IllegalStateException("fails always");
            })),
            consumer)
        .orderly()
        .start());

    await().until(() -> buried.size() == 2);
    assertThat(seen).containsExactly("anull", "anull", "anull", "bnull", "bnull", "bnull");
    assertThat(buried).containsExactly("anull", "bnull");
  }

  @Test
  void a_duplicate_whose_answer_failed_is_no_other_message_afterwards() throws Exception {
    createTopic(1);
    sendTo(0, "a", "a");
    DefaultMQPushConsumer consumer = consumer();
    open(RocketMqReceiver.builder(
            open(builder(this::bury)
                .onDuplicate((message, result) -> {
                  change(message);
                  if (seen.size() == 1) {
                    throw new IllegalStateException("the client has gone");
                  }
                })
                .leased(store, this::record)),
            consumer)
        .orderly()
        .keepBatchSize()
        .start());

    await().until(() -> count(Outcome.class) >= 3);
    assertThat(effects).containsExactly("a");
    assertThat(seen).containsExactly("anull", "anull");
  }

  @Test
  void a_conflict_is_dead_lettered_as_it_was_sent() throws Exception {
    createTopic(1);
    send(message("a", "one"));
    send(message("a", "two"));
    DefaultMQPushConsumer consumer = consumer();
    open(RocketMqReceiver.start(
        open(builder(this::bury)
            .onConflict(conflict -> {
              change(conflict.message());
              return ConflictPolicy.Decision.DEAD_LETTER;
            })
            .leased(store, this::record)),
        consumer));

    await().until(() -> buried.size() == 1);
    assertThat(seen).containsExactly("twonull");
    assertThat(buried).containsExactly("twonull");
  }

  @Test
  void a_pulled_message_that_waits_in_memory_is_tried_again_as_it_was_sent() throws Exception {
    createTopic(1);
    sendTo(0, "a");

    pull(delivery -> {
      change(delivery.message());
      if (delivery.attempt() < 3) {
        throw new IllegalStateException("fails twice");
      }
    });

    await().until(() -> isDone("a"));
    assertThat(seen).containsExactly("anull", "anull", "anull");
  }

  @Test
  void a_rolled_back_transaction_runs_again_with_messages_as_they_were_sent() throws Exception {
    createTopic(1);
    Shop shop = open(new Shop(directory));
    AtomicInteger failures = new AtomicInteger();
    DefaultLitePullConsumer consumer = pullConsumer(group);
    open(RocketMqPullReceiver.builder(
            open(builder(consumer)
                .transactional(
                    shop.marks(), TransactionalHandler.forEach((connection, delivery) -> {
                      String body = body(delivery.message());
                      change(delivery.message());
                      if (!body.startsWith("X")) { // accepts new orders only
                        Shop.write(connection, body);
                      }
                      if (body.equals("fails") && failures.getAndIncrement() == 0) {
                        throw new IllegalStateException("fails once");
                      }
                    }))),
            consumer)
        .subscribe(topic, ALL)
        .start());
    sendTo(0, "a"); // ends one-by-one mode
    await().until(() -> shop.written().size() == 1);

    producer()
        .send(List.of(
            message("b", "b"), message("c", "c"), message("fails", "fails"), message("d", "d")));

    await().until(() -> count(Outcome.Executed.class) == 5);
    assertThat(shop.written()).containsExactlyInAnyOrder("a", "b", "c", "fails", "d");
    assertThat(seen).allMatch(it -> it.endsWith("null"));
  }
}
