package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ParentWatchTest {

  private final ByteArrayOutputStream reported = new ByteArrayOutputStream();
  private final ParentWatch watch = new ParentWatch(new Reports(reported), Long.MAX_VALUE);
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  @AfterEach
  void end() {
    thread.shutdownNow();
  }

  @Test
  void a_batch_is_held_under_the_number_of_its_request_until_it_is_released() throws Exception {
    ParentInput parent = new ParentInput();
    watch.start(parent);

    parent.say("hold 7");
    Future<?> batch = thread.submit(this::passUntilHeld);
    await().until(() -> reports().contains("armed 7"));
    assertThat(batch.isDone()).isFalse();

    parent.say(ParentWatch.GO_ON);
    batch.get(10, TimeUnit.SECONDS);
  }

  @Test
  void a_released_batch_reports_nothing_and_a_later_request_pauses_again() throws Exception {
    watch.obey("slow 1");
    watch.pauseIfReached();
    watch.obey(ParentWatch.GO_ON);
    watch.pauseIfReached();
    assertThat(reports()).isEqualTo("armed 1\n");

    watch.obey("slow 2");
    watch.pauseIfReached();
    assertThat(reports()).isEqualTo("armed 1\narmed 2\n");
  }

  private Void passUntilHeld() throws InterruptedException {
    while (reports().isEmpty()) {
      watch.pauseIfReached();
    }
    return null;
  }

  private String reports() {
    return reported.toString(StandardCharsets.UTF_8);
  }
}
