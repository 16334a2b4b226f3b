package io.hapax.chaos.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialState;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A button that fails leaves no consumer held or frozen. */
class LiveTrialTest {

  private static final Duration FREEZE = Duration.ofMillis(200);

  /** What happened to the consumers with Hapax. */
  private final List<String> events = new CopyOnWriteArrayList<>();

  private LiveTrial start(LiveProcess naive) {
    LiveTrial trial = LiveTrial.start(
        new NoTopic(),
        new NoStore(),
        new NoPayments(),
        FREEZE,
        true,
        () -> new Healthy(events),
        () -> naive);
    await().until(trial::isComplete);
    return trial;
  }

  @Test
  void a_consumer_is_thawed_although_the_other_one_could_not_be_frozen() {
    try (LiveTrial trial = start(new Healthy(new CopyOnWriteArrayList<>()) {
      @Override
      public void freeze() {
        throw new IllegalStateException("it has ended");
      }
    })) {
      assertThatThrownBy(() -> trial.begin(TrialAction.FREEZE))
          .isInstanceOf(IllegalStateException.class);
      assertThat(events).contains("freeze");
      await().untilAsserted(() -> assertThat(events).contains("release", "thaw"));
    }
  }

  @Test
  void a_consumer_is_released_although_the_other_one_could_not_be_held() {
    try (LiveTrial trial = start(new Healthy(new CopyOnWriteArrayList<>()) {
      @Override
      public boolean hold(Beforehand beforehand, Duration atMost) throws IOException {
        throw new IOException("broken pipe");
      }
    })) {
      assertThatThrownBy(() -> trial.begin(TrialAction.KILL)).isInstanceOf(IOException.class);
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

  /** A topic that takes every order and keeps none. */
  private static final class NoTopic implements LiveTopic {

    @Override
    public void place(int count) {}

    @Override
    public int repeat(int most) {
      return 0;
    }

    @Override
    public List<String> placed() {
      return List.of();
    }

    @Override
    public void rewind() {}
  }

  /** Payments of no order. */
  private static final class NoPayments implements LivePayments {

    @Override
    public void timeOut(int count) {}

    @Override
    public Optional<TrialState.Charges> charges() {
      return Optional.empty();
    }
  }

  /** A store that is down. */
  private static final class NoStore implements LiveStore {

    @Override
    public void kill() {}

    @Override
    public void restart() {}

    @Override
    public Connection connect() throws SQLException {
      throw new SQLException("it is down");
    }
  }
}
