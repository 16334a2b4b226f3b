package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.runtime.ManualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SingleFlightPollerTest {

  private final ManualThreads threads = new ManualThreads();
  private final List<String> events = new ArrayList<>();
  private final Subject subject = new Subject();
  private final SingleFlightPoller poller = new SingleFlightPoller(threads.env(), subject, 1000);

  private final class Subject implements SingleFlightPoller.Subject {

    private boolean wanted = true;
    private int more;
    private Runnable during = () -> {};

    @Override
    public boolean wanted() {
      return wanted;
    }

    @Override
    public Runnable send(long sentNanos) {
      events.add("sent");
      during.run();
      return () -> events.add("answered");
    }

    @Override
    public boolean pollAgain() {
      return more-- > 0;
    }

    @Override
    public void hanging(long sentNanos) {
      events.add("hangs");
    }
  }

  @Test
  void a_request_during_a_poll_starts_another_one_after_it() {
    int[] requests = {0};
    subject.during = () -> {
      if (requests[0]++ == 0) {
        poller.poll();
      }
    };

    poller.poll();

    assertThat(events).containsExactly("sent", "answered", "sent", "answered");
  }

  @Test
  void the_subject_may_request_another_poll() {
    subject.more = 2;

    poller.poll();

    assertThat(events).filteredOn("sent"::equals).hasSize(3);
  }

  @Test
  void a_poll_that_is_no_longer_wanted_is_not_sent() {
    subject.wanted = false;

    poller.poll();

    assertThat(events).isEmpty();
    assertThat(poller.polledSince(0)).isFalse();
  }

  @Test
  void a_poll_counts_from_the_time_at_which_it_was_sent() {
    threads.advance(Duration.ofSeconds(1));
    subject.during = () -> threads.advance(Duration.ofMillis(500));

    poller.poll();

    assertThat(poller.polledSince(Duration.ofSeconds(1).toNanos())).isTrue();
    assertThat(poller.polledSince(Duration.ofSeconds(1).toNanos() + 1)).isFalse();
  }

  @Test
  void a_poll_is_reported_while_it_hangs_and_not_after_it() {
    subject.during = () -> threads.advance(Duration.ofMillis(2500));

    poller.poll();
    threads.advance(Duration.ofSeconds(10));

    assertThat(events).containsExactly("sent", "hangs", "hangs", "answered");
  }
}
