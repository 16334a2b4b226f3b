package io.hapax.internal.handler;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.util.List;
import java.util.Set;

/**
 * Recognises conversion errors: malformed JSON, bytes that do not deserialize, a text that does not
 * fit its class. The same message always fails in the same way.
 *
 * <p>A conversion error inside an error of another class is not recognised: the converted text may
 * be the answer of a downstream. Its causes must come from the data, too. A timeout, a missing
 * connection or a list that changed meanwhile does not come from the message.
 */
public final class ConversionErrors {

  /** Names instead of classes, because most applications have only some of them. */
  private static final Set<String> NAMES = Set.of(
      "java.io.ObjectStreamException",
      "com.fasterxml.jackson.core.JsonProcessingException",
      "tools.jackson.core.exc.StreamReadException",
      "tools.jackson.databind.DatabindException",
      "com.google.gson.JsonParseException",
      "com.alibaba.fastjson.JSONException",
      "com.alibaba.fastjson2.JSONException",
      "com.google.protobuf.InvalidProtocolBufferException",
      "org.apache.kafka.common.errors.SerializationException",
      "org.springframework.messaging.converter.MessageConversionException",
      "org.springframework.kafka.support.converter.ConversionException",
      "org.springframework.kafka.support.serializer.DeserializationException");

  /** The accepted causes of a conversion error: those that come from the data. */
  private static final List<Class<? extends Throwable>> OF_THE_DATA = List.of(
      IllegalArgumentException.class,
      DateTimeException.class,
      ArithmeticException.class,
      ClassCastException.class,
      NullPointerException.class,
      IndexOutOfBoundsException.class,
      StackOverflowError.class,
      CharacterCodingException.class);

  /** Bounds the search, because causes may form a circle. */
  private static final int MAX_CAUSES = 50;

  private ConversionErrors() {}

  /**
   * Returns whether the error is a conversion error whose causes come from the data. Only
   * exceptions of the JDK may wrap it.
   */
  public static boolean include(Throwable error) {
    boolean found = false;
    Throwable next = error;
    for (int i = 0; next != null && i < MAX_CAUSES; i++) {
      if (isConversionError(next.getClass())) {
        found = true;
      } else if (!isOfThePlatform(next) || !(found ? isOfTheData(next) : mayWrap(next))) {
        return false;
      }
      next = next.getCause();
    }
    return found;
  }

  private static boolean isConversionError(Class<?> type) {
    for (Class<?> next = type; next != null; next = next.getSuperclass()) {
      if (NAMES.contains(next.getName())) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayWrap(Throwable error) {
    return !(error instanceof IOException);
  }

  private static boolean isOfTheData(Throwable error) {
    return OF_THE_DATA.stream().anyMatch(type -> type.isInstance(error));
  }

  private static boolean isOfThePlatform(Throwable error) {
    return error.getClass().getName().startsWith("java.");
  }
}
