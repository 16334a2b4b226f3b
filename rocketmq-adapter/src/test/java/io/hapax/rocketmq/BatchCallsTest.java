package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.Outcome;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.store.StoreCall;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreVerb;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the messages of one call of a listener cost, on a real broker and a real store. */
@Timeout(120)
class BatchCallsTest extends WithConsumers {

  private static final String[] EIGHT = {"a", "b", "c", "d", "e", "f", "g", "h"};

  @TempDir
  private Path directory;

  private final List<StoreCall> told = new CopyOnWriteArrayList<>();
  private final List<List<String>> calls = new CopyOnWriteArrayList<>();

  @Test
  void eight_messages_of_one_call_cost_one_claim_and_at_most_two_settles_and_are_handled_together()
      throws Exception {
    createTopic(1);
    send(EIGHT);
    assertThat(read(topic, EIGHT.length)).hasSize(EIGHT.length); // so they come in one pull
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(32);
    consumer.registerMessageListener(open(IdempotentConcurrentListener.of(
        consumer,
        open(builder(consumer)
            .workers(1)
            .leasedBatches(store(), IdempotentConcurrentListener.handler((messages, context) -> {
              calls.add(messages.stream().map(WithConsumers::body).toList());
              return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
            }))))));
    start(consumer);

    await().atMost(BOUND).until(() -> count(Outcome.Executed.class) == EIGHT.length);
    assertThat(calls).containsExactly(List.of(EIGHT));
    assertThat(marks(StoreVerb.CLAIM)).containsExactly(EIGHT.length);
    assertThat(marks(StoreVerb.SETTLE)).hasSizeLessThanOrEqualTo(2);
    assertThat(marks(StoreVerb.SETTLE).stream().mapToInt(it -> it).sum()).isEqualTo(EIGHT.length);
  }

  private JdbcDedupStore store() throws Exception {
    JdbcDedupStore marks = open(new Shop(directory)).marks();
    marks.listen(new StoreListener() {
      @Override
      public void onCall(StoreCall call) {
        told.add(call);
        if (call.verb() == StoreVerb.SETTLE) {
          // The first may begin before the others are handed over; the next must take them all.
          await().atMost(BOUND).until(BatchCallsTest.this::workerRests);
        }
      }
    });
    return marks;
  }

  private boolean workerRests() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(it -> it.getName().startsWith("hapax-worker-" + group + "-"))
        .anyMatch(it -> it.getState() == Thread.State.WAITING);
  }

  private List<Integer> marks(StoreVerb verb) {
    return told.stream().filter(it -> it.verb() == verb).map(StoreCall::marks).toList();
  }
}
