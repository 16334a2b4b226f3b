package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A button that fails leaves no consumer held or frozen. */
class CrewTest {

  private static final Duration FREEZE = Duration.ofMillis(200);

  /** Records the events of the consumers with Hapax. */
  private final List<String> events = new CopyOnWriteArrayList<>();

  private Crew start(LiveProcess naive) {
    Crew crew = new Crew(() -> new Healthy(events), 2, () -> naive);
    crew.supervise();
    assertThat(crew.isComplete()).isTrue();
    return crew;
  }

  @Test
  void a_consumer_is_thawed_although_the_other_one_could_not_be_frozen() {
    try (Background background = new Background(1);
        Crew crew = start(new Healthy(new CopyOnWriteArrayList<>()) {
          @Override
          public void freeze() {
            throw new IllegalStateException("it has ended");
          }
        })) {
      assertThatThrownBy(() -> crew.freezeOneOfEach(() -> {}, FREEZE, background))
          .isInstanceOf(IllegalStateException.class);
      assertThat(events).contains("freeze");
      await().untilAsserted(() -> assertThat(events).contains("release", "thaw"));
    }
  }

  @Test
  void a_consumer_is_released_although_the_other_one_could_not_be_held() {
    try (Crew crew = start(new Healthy(new CopyOnWriteArrayList<>()) {
      @Override
      public boolean hold(Beforehand beforehand, Duration atMost) throws IOException {
        throw new IOException("broken pipe");
      }
    })) {
      assertThatThrownBy(() -> crew.holdOneOfEach(() -> {})).isInstanceOf(IOException.class);
      assertThat(events).contains("hold", "release");
    }
  }

  /** A consumer that obeys. */
  private static class Healthy implements LiveProcess {

    private final List<String> events;

    Healthy(List<String> events) {
      this.events = events;
    }

    @Override
    public long pid() {
      return 1;
    }

    @Override
    public boolean isAlive() {
      return true;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public LiveCounts counts() {
      return LiveCounts.NONE;
    }

    @Override
    public boolean hold(Beforehand beforehand, Duration atMost) throws Exception {
      events.add("hold");
      beforehand.run();
      return true;
    }

    @Override
    public void release() {
      events.add("release");
    }

    @Override
    public void freeze() {
      events.add("freeze");
    }

    @Override
    public void thaw() {
      events.add("thaw");
    }

    @Override
    public void kill() {
      events.add("kill");
    }

    @Override
    public void stop() {
      events.add("stop");
    }
  }
}
