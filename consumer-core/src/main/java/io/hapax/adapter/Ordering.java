package io.hapax.adapter;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says which messages of a partition run one after the other. In each order, the partition has one
 * commit cursor: nothing is committed beyond its lowest unfinished message.
 *
 * @param <M> the broker's message
 */
public final class Ordering<M> {

  /** The lane of a message that has no order with others. */
  static final Object ALONE = new Object();

  /** The lane of the partition, for messages that share it. */
  static final Object PARTITION = new Object();

  private static final ClassValue<Boolean> COMPARED_BY_VALUE = new ClassValue<>() {
    @Override
    protected Boolean computeValue(Class<?> type) {
      try {
        Method equals = type.getMethod("equals", Object.class);
        Method hashCode = type.getMethod("hashCode");
        return equals.getDeclaringClass() != Object.class
            && hashCode.getDeclaringClass() != Object.class;
      } catch (NoSuchMethodException e) {
        return false;
      }
    }
  };

  private final boolean inOrder;
  private final Function<M, Object> lane;

  private Ordering(boolean inOrder, Function<M, Object> lane) {
    this.inOrder = inOrder;
    this.lane = lane;
  }

  /**
   * {@return the ordering that keeps the order of the partition: one message of it runs at a time}
   *
   * @param <M> the broker's message
   */
  public static <M> Ordering<M> byPartition() {
    return new Ordering<>(true, message -> PARTITION);
  }

  /**
   * {@return the ordering that keeps the order of the messages of one key within the partition} A
   * message that waits or is slow holds back only those of its key. Without a key it has no order.
   *
   * <p>Keys are compared by {@code equals}, and {@code byte[]} by content. A handler must not
   * change a key. All messages whose keys are of a class that does not define {@code equals} and
   * {@code hashCode}, or that throws from them, share one order.
   *
   * @param key reads the key; null if the message has none
   * @param <M> the broker's message
   */
  public static <M> Ordering<M> byKey(Function<M, @Nullable Object> key) {
    return new Ordering<>(true, message -> comparable(key.apply(message)));
  }

  /**
   * {@return the ordering that keeps no order: a message holds back no other}
   *
   * @param <M> the broker's message
   */
  public static <M> Ordering<M> none() {
    return new Ordering<>(false, message -> ALONE);
  }

  private static Object comparable(@Nullable Object key) {
    if (key == null) {
      return ALONE;
    }
    if (key instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes);
    }
    if (key instanceof ByteBuffer bytes) {
      return bytes.duplicate(); // a handler that reads it changes it
    }
    return COMPARED_BY_VALUE.get(key.getClass()) ? key : PARTITION;
  }

  boolean inOrder() {
    return inOrder;
  }

  /** Returns what is equal for messages that run one after the other, or {@link #ALONE}. */
  Object lane(M message) {
    return lane.apply(message);
  }
}
