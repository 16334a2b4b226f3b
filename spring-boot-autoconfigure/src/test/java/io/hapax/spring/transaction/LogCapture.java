package io.hapax.spring.transaction;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a class or package logged as a warning or an error while this was open. */
public final class LogCapture implements AutoCloseable {

  private final Logger logger;
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();

  LogCapture(Class<?> type) {
    this(type.getName());
  }

  /** Begins to listen to a logger. */
  public LogCapture(String name) {
    logger = (Logger) LoggerFactory.getLogger(name);
    events.start();
    logger.addAppender(events);
  }

  List<String> warnings() {
    return messages(Level.WARN);
  }

  /** Returns what was logged as an error. */
  public List<String> errors() {
    return messages(Level.ERROR);
  }

  private List<String> messages(Level least) {
    return List.copyOf(events.list).stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(least))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(events);
  }
}
