package io.hapax.internal.handler;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.util.List;
import java.util.Set;

/**
 * Recognises errors that mean that a message cannot be converted: malformed JSON, bytes that do not
 * deserialize, a text that does not fit its class. The same message fails in the same way again.
 *
 * <p>An error of another class around them says that the converted text came from a downstream.
 * Below them only errors that come from the data are accepted: a timeout, a connection that is
 * missing or a list that changed meanwhile do not come from the message. Such an error is not
 * recognised.
 */
public final class ConversionErrors {

  /** By name: these classes are on the class path of some applications only. */
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

  /** What the data itself causes, below a conversion error. */
  private static final List<Class<? extends Throwable>> OF_THE_DATA = List.of(
      IllegalArgumentException.class,
      DateTimeException.class,
      ArithmeticException.class,
      ClassCastException.class,
      NullPointerException.class,
      IndexOutOfBoundsException.class,
      StackOverflowError.class,
      CharacterCodingException.class);

  /** Causes may form a circle. */
  private static final int MOST_CAUSES = 50;

  private ConversionErrors() {}

  /**
   * Returns whether the error is a conversion error, at most in wrappers of the platform, with
   * causes that come from the data only.
   */
  public static boolean include(Throwable error) {
    boolean found = false;
    Throwable next = error;
    for (int i = 0; next != null && i < MOST_CAUSES; i++) {
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
