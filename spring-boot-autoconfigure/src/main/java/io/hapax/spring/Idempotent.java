package io.hapax.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes each message of a listener take effect once. Annotate a method or a class with
 * {@code @KafkaListener}, or a class with {@code @RocketMQMessageListener}. In leased mode a crash
 * can repeat an effect.
 *
 * <p>Hapax claims the ids of the messages in the dedup store and calls the listener for those that
 * have not taken effect. It marks them done, and only then acknowledges them to the broker. If the
 * process dies in between, the message is redelivered and another consumer takes it over.
 *
 * <p>Each attribute except {@code consumer} has a property of that name under
 * {@code hapax.consumers.<consumer>}. An attribute that is set wins over its property. Attributes
 * may have placeholders: {@code ${orders.id}}. The application does not start if a setting is wrong
 * or a listener cannot be made safe.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface Idempotent {

  /**
   * Where the business id of a message is. It identifies the message within its topic.
   *
   * <ul>
   *   <li>{@code header:order-id}: a header; with RocketMQ a property
   *   <li>{@code key}: the key
   *   <li>{@code json:/order/id}: a text or an integer in a JSON value, by an RFC 6901 pointer
   *   <li>{@code cloudevents}: source and id of a CloudEvent, in binary or structured mode
   *   <li><code>#{payload.orderId}</code>: a SpEL expression over {@code payload}, {@code key},
   *       {@code headers} and {@code topic}
   *   <li>{@code bean:orderIds}: a bean of type {@link io.hapax.IdExtractor}
   * </ul>
   *
   * @return the place of the id; empty for the property's
   */
  String id() default "";

  /**
   * {@return the name of the consumer, which is the scope of all marks; empty for the listener's
   * group} A new name forgets every mark.
   */
  String consumer() default "";

  /**
   * What shows that two messages with the same id have different payloads.
   *
   * <ul>
   *   <li>{@code value}: the bytes of the value; with RocketMQ the tag, too
   *   <li>{@code value,header:type}: these and a header; with RocketMQ a property. Name several
   *       headers with {@code ,header:} before each
   *   <li>{@code none}: nothing, payloads are not compared
   *   <li><code>#{..}</code>: a SpEL expression
   *   <li>{@code bean:name}: a bean of type {@code Function<M, Fingerprint>}, where {@code M} is
   *       the broker's message
   * </ul>
   *
   * @return the fingerprint; empty for the property's, or {@code value}
   */
  String fingerprint() default "";

  /** {@return whether the effects commit together with the marks} */
  Mode mode() default Mode.DEFAULT;

  /**
   * {@return the name of the bean of type {@link io.hapax.store.DedupStore} that stores the marks;
   * empty for the only one}
   */
  String store() default "";

  /**
   * What to do with a message whose earlier attempt may have taken effect, in leased mode:
   * {@code rerun}, {@code dead-letter}, or {@code probe:name} for a bean of type
   * {@link io.hapax.OutcomeProbe}.
   *
   * @return the policy; empty for the property's, or {@code rerun}
   */
  String onUnknownOutcome() default "";

  /**
   * Whether Hapax only observes: the listener runs for every message, and a report counts what
   * Hapax would have skipped. In leased mode only.
   *
   * @return true to observe; false for the property's, or no
   */
  boolean shadow() default false;

  /** How marks and effects commit. */
  enum Mode {
    /**
     * The property's; without one, transactional if the store's database has a transaction manager.
     */
    DEFAULT,
    /** The listener's database writes and the marks commit in one transaction of Spring. */
    TRANSACTIONAL,
    /** The listener may do anything; a crash may leave a message in doubt. */
    LEASED
  }
}
