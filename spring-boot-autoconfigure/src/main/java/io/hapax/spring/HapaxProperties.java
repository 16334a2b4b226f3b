package io.hapax.spring;

import io.hapax.spring.Idempotent.Mode;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of Hapax in an application.
 *
 * @param store where the marks are. Without it: the only or primary DataSource, or Redis if there
 *     is no DataSource
 * @param mode how marks and effects commit, unless a consumer sets its own
 * @param retention the dedup window: how long the marks of finished messages are kept. Longer than
 *     the broker can replay
 * @param deadLetters the topic for messages that failed for good; {topic} means the message's own
 *     topic. Without it RocketMQ uses %DLQ%group, and on Kafka such a message blocks its partition
 * @param jdbc the store in a database
 * @param redis the store in Redis
 * @param consumers the settings of each consumer, by its name
 */
@ConfigurationProperties("hapax")
public record HapaxProperties(
    @Nullable StoreKind store,
    @DefaultValue("default") Mode mode,
    @DefaultValue("8d") Duration retention,
    @Nullable String deadLetters,
    @DefaultValue Jdbc jdbc,
    @DefaultValue Redis redis,
    @DefaultValue Map<String, Consumer> consumers) {

  /**
   * Checks the values.
   *
   * @param store any
   * @param mode any
   * @param retention positive
   * @param deadLetters a topic's name, which may contain {topic}
   * @param jdbc table not blank
   * @param redis prefix not blank, times and numbers positive
   * @param consumers dead letters as above, times and numbers positive
   */
  public HapaxProperties {
    PropertyRules.check(retention, deadLetters);
    PropertyRules.check(jdbc);
    PropertyRules.check(redis);
    consumers.forEach(PropertyRules::check);
  }

  /** Where marks are stored. */
  public enum StoreKind {
    /** A table of the application's database. */
    JDBC,
    /** The application's Redis. */
    REDIS
  }

  /**
   * The store in a database.
   *
   * @param table the table of the marks, with its schema if it is not the default one
   * @param createIfAbsent whether to create the table at the start. Without it, a migration does
   * @param allowVolatile whether to accept a database that may lose a commit, as one in memory does
   */
  public record Jdbc(
      @DefaultValue("hapax_marks") String table,
      @DefaultValue("false") boolean createIfAbsent,
      @DefaultValue("false") boolean allowVolatile) {}

  /**
   * The store in Redis.
   *
   * @param prefix what all keys begin with
   * @param strict whether to refuse a server whose settings can lose marks
   * @param commandTimeout how long a call waits for its replies before it fails
   * @param compactMarks the number of messages within the retention, for the compact layout, which
   *     needs a third of the memory. It cannot be changed later. Without it the layout is not
   *     compact
   */
  public record Redis(
      @DefaultValue("hapax") String prefix,
      @DefaultValue("false") boolean strict,
      @DefaultValue("3s") Duration commandTimeout,
      @Nullable Long compactMarks) {}

  /**
   * The settings of a consumer. The annotation has precedence. Missing settings have their
   * defaults.
   *
   * @param id where the business id of a message is, as in {@link Idempotent#id}
   * @param fingerprint what shows that two payloads differ, as in {@link Idempotent#fingerprint}
   * @param mode how marks and effects commit
   * @param store the bean that stores the marks
   * @param onUnknownOutcome what to do with a message in doubt, as in
   *     {@link Idempotent#onUnknownOutcome}
   * @param shadow whether to observe only
   * @param deadLetters the topic for messages that failed for good; {topic} means the message's own
   *     topic
   * @param lease how long the messages of a dead consumer wait. The default is 30 seconds
   * @param attempts how many attempts a message has before it is dead-lettered. The default is 16
   * @param firstBackoff the wait before the second attempt; each later one is twice as long. The
   *     default is 1 second
   * @param maxBackoff the longest wait before an attempt. The default is 1 minute
   * @param handlerTimeout the longest time of one call of the listener. The default is no limit
   * @param drainTimeout how long a shutdown waits for running listeners. The default is 20 seconds
   */
  public record Consumer(
      @Nullable String id,
      @Nullable String fingerprint,
      @Nullable Mode mode,
      @Nullable String store,
      @Nullable String onUnknownOutcome,
      @Nullable Boolean shadow,
      @Nullable String deadLetters,
      @Nullable Duration lease,
      @Nullable Integer attempts,
      @Nullable Duration firstBackoff,
      @Nullable Duration maxBackoff,
      @Nullable Duration handlerTimeout,
      @Nullable Duration drainTimeout) {

    /** A consumer without settings of its own. */
    public static final Consumer DEFAULT =
        new Consumer(null, null, null, null, null, null, null, null, null, null, null, null, null);
  }
}
