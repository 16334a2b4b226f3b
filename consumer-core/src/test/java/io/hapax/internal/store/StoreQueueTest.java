package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.runtime.Environment;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.runtime.SystemTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StoreQueueTest {

  private record Sent(List<String> group, Thread thread) {}

  private final Environment env =
      Platform.ofThisMachine().starter().start(SystemTime.INSTANCE, "test", 1, Optional.empty());
  private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
  private final CountDownLatch answer = new CountDownLatch(1);
  private final StoreQueue<String> queue =
      new StoreQueue<>(1, String::length, group -> this.call.send(group), env);
  private volatile StoreQueue.Call<String> call = this::awaitAnswer;

  @AfterEach
  void stop() {
    answer.countDown();
    env.stop();
  }

  private boolean isRecorded(List<String> group) {
    return sent.add(new Sent(group, Thread.currentThread()));
  }

  private boolean awaitAnswer(List<String> group) {
    try {
      return isRecorded(group) && answer.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> nextGroup() throws InterruptedException {
    return sent.take().group();
  }

  @Test
  void a_group_has_500_messages_or_one_entry_with_more() throws Exception {
    queue.send(List.of("a"));
    assertThat(nextGroup()).containsExactly("a");

    queue.send(List.of("b".repeat(501), "c".repeat(300), "d".repeat(200), "e"));
    answer.countDown();

    assertThat(nextGroup()).containsExactly("b".repeat(501));
    assertThat(nextGroup()).containsExactly("c".repeat(300), "d".repeat(200));
    assertThat(nextGroup()).containsExactly("e");
  }

  @Test
  void one_other_thread_makes_a_call_and_those_after_it() throws Exception {
    call = group -> {
      if (group.contains("a")) {
        queue.send(List.of("b"));
      }
      return isRecorded(group);
    };

    queue.send(List.of("a"));

    Sent first = sent.take();
    assertThat(first.group()).containsExactly("a");
    assertThat(first.thread()).isNotSameAs(Thread.currentThread());
    assertThat(sent.take()).isEqualTo(new Sent(List.of("b"), first.thread()));
  }

  @Test
  void a_call_that_has_not_ended_lets_no_other_begin_until_it_is_resumed() throws Exception {
    call = group -> !isRecorded(group);
    queue.send(List.of("a"));
    assertThat(nextGroup()).containsExactly("a");

    queue.send(List.of("b"));
    queue.putBack(List.of("a"));
    assertThat(sent).isEmpty();
    queue.resume();

    assertThat(nextGroup()).containsExactly("b", "a");
  }
}
