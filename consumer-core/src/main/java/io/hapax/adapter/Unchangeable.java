package io.hapax.adapter;

import io.hapax.mark.Bytes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Knows the objects that no code can change, so that every call of a handler may get the same. */
public final class Unchangeable {

  private static final Set<Class<?>> TYPES = Set.of(
      String.class,
      Boolean.class,
      Character.class,
      Byte.class,
      Short.class,
      Integer.class,
      Long.class,
      Float.class,
      Double.class,
      BigInteger.class,
      BigDecimal.class,
      UUID.class,
      Bytes.class);

  private Unchangeable() {}

  /**
   * {@return whether an object is known to be unchangeable; false for any other, such as an array}
   *
   * @param object the object, or null for a missing one
   */
  public static boolean is(@Nullable Object object) {
    return object == null || TYPES.contains(object.getClass());
  }
}
