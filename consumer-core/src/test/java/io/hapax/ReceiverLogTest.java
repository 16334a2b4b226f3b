package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hapax.adapter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a user without meters reads in the log. */
class ReceiverLogTest extends LeasedFixture {

  private final Logger engine = (Logger) LoggerFactory.getLogger("io.hapax.internal");
  private final Level before = engine.getLevel();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void listen() {
    log.start();
    engine.setLevel(Level.INFO); // the tests' own settings say OFF
    engine.addAppender(log);
  }

  @AfterEach
  void stopListening() {
    engine.detachAppender(log);
    engine.setLevel(before);
  }

  private List<ILoggingEvent> linesOf(String id) {
    return log.list.stream()
        .filter(line -> line.getFormattedMessage().contains(id))
        .toList();
  }

  @Test
  void a_takeover_is_logged_as_a_warning_with_id_and_previous_owner() throws Exception {
    claimedElsewhere("order-17", false, Duration.ofMinutes(1));
    clock.advance(Duration.ofMinutes(2));

    receive(recording(), "order-17");

    assertThat(effects).containsExactly("order-17");
    assertThat(linesOf("order-17")).singleElement().satisfies(line -> {
      assertThat(line.getLevel()).isEqualTo(Level.WARN);
      assertThat(line.getFormattedMessage())
          .contains("taken over from elsewhere", "its effect may be repeated");
    });
  }

  @Test
  void an_attempt_after_a_failed_one_is_not_logged_as_a_warning() throws Exception {
    AtomicBoolean failed = new AtomicBoolean();
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      if (failed.compareAndSet(false, true)) {
        throw new IllegalStateException("no answer");
      }
    });
    receive(receiver, "order-18");
    clock.advance(Duration.ofMinutes(20));

    assertThat(receive(receiver, "order-18").get(0)).isInstanceOf(Outcome.Executed.class);

    assertThat(linesOf("order-18"))
        .extracting(ILoggingEvent::getLevel)
        .containsExactly(Level.WARN, Level.INFO);
    assertThat(linesOf("order-18").get(1).getFormattedMessage()).contains("RETRY");
  }

  /** As a wrapped listener's answer makes it: nothing of the user's is on its stack. */
  private static final class AnsweredLater extends RuntimeException {

    private static final long serialVersionUID = 1L;

    AnsweredLater() {
      super("the listener answered RECONSUME_LATER", null, false, false);
    }
  }

  @Test
  void a_failed_attempt_of_a_wrapped_listener_is_one_line() throws Exception {
    receive(
        receiver(delivery -> {
          throw new AnsweredLater();
        }),
        "order-19");

    assertThat(linesOf("order-19")).singleElement().satisfies(line -> {
      assertThat(line.getThrowableProxy()).isNull();
      assertThat(line.getFormattedMessage())
          .contains("failed in attempt 1 of 3", "the listener answered RECONSUME_LATER")
          .doesNotContain("\n");
    });
  }
}
