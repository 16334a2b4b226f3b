package io.hapax.spring.transaction;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a class logged as a warning or an error while this was open. */
final class LogCapture implements AutoCloseable {

  private final Logger logger;
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();

  LogCapture(Class<?> type) {
    logger = (Logger) LoggerFactory.getLogger(type);
    events.start();
    logger.addAppender(events);
  }

  List<String> warnings() {
    return List.copyOf(events.list).stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(events);
  }
}
