package io.hapax.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hapax.mark.Attempt;
import io.hapax.mark.Claim;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a fenced owner logs. */
class EventsTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger(Events.class);
  private final Level before = logger.getLevel();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Events events = new Events(List.of(), () -> 0, InstantSource.system());

  @BeforeEach
  void listen() {
    log.start();
    logger.setLevel(Level.WARN); // the tests' own settings say OFF
    logger.addAppender(log);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(log);
    logger.setLevel(before);
  }

  private static Claim claim(boolean leased) {
    return new Claim(
        MessageKey.of("orders", "order-17"),
        new Nonce(1, 1),
        7,
        new Attempt(1, false, leased, false),
        Fingerprint.NONE,
        Origin.NONE);
  }

  private String logged() {
    return log.list.get(0).getFormattedMessage();
  }

  @Test
  void a_leased_claim_that_was_taken_over_may_repeat_its_effect() {
    events.fenced(claim(true));

    assertThat(logged()).contains("order-17", "its effect may be repeated");
  }

  @Test
  void a_transactional_claim_that_was_taken_over_repeats_nothing() {
    events.fenced(claim(false));

    assertThat(logged()).contains("order-17", "its own transaction commits nothing");
  }
}
