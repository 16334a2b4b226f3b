package io.hapax.spring.listener;

import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.support.StandardTypeConverter;

/** Refuses values whose text another process would not reproduce, as that of an array. */
final class StableValues {

  private static final Set<String> NUMBERS = Set.of("java.lang", "java.math");

  private StableValues() {}

  static TypeConverter converter() {
    return new StandardTypeConverter() {
      @Override
      public boolean canConvert(@Nullable TypeDescriptor from, TypeDescriptor to) {
        return to.getType() == String.class || super.canConvert(from, to);
      }

      @Override
      public @Nullable Object convertValue(
          @Nullable Object value, @Nullable TypeDescriptor from, TypeDescriptor to) {
        if (value != null && to.getType() == String.class) {
          return text(value);
        }
        return super.convertValue(value, from, to);
      }
    };
  }

  /** Covers the text, the bytes, or the elements of an array or list. */
  static Fingerprint fingerprint(Object value) {
    byte[] scalar = scalar(value);
    if (scalar != null) {
      return Fingerprint.of(scalar);
    }
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    try {
      write(value, new DataOutputStream(content));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Fingerprint.of(content.toByteArray());
  }

  private static void write(@Nullable Object value, DataOutputStream to) throws IOException {
    byte[] scalar = value == null ? new byte[0] : scalar(value);
    if (scalar != null) {
      to.writeBoolean(value != null);
      to.writeInt(scalar.length);
      to.write(scalar);
    } else if (value instanceof List<?> list) {
      to.writeInt(list.size());
      for (Object element : list) {
        write(element, to);
      }
    } else {
      to.writeInt(Array.getLength(value));
      for (int i = 0; i < Array.getLength(value); i++) {
        write(Array.get(value, i), to);
      }
    }
  }

  private static byte @Nullable [] scalar(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes;
    } else if (value instanceof Bytes bytes) {
      return bytes.toByteArray();
    } else if (value instanceof ByteBuffer buffer) {
      byte[] content = new byte[buffer.remaining()];
      buffer.duplicate().get(content);
      return content;
    } else if (value instanceof List<?> || value.getClass().isArray()) {
      return null;
    }
    return text(value).getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Object value) {
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    String home = value.getClass().getPackageName();
    if (value instanceof CharSequence
        || value instanceof Boolean
        || value instanceof Character
        || value instanceof UUID
        || (value instanceof Number && NUMBERS.contains(home))
        || home.equals("java.time")) {
      return value.toString();
    }
    throw new IllegalArgumentException("a value of " + value.getClass().getName()
        + " has no text that is the same in each process: name one of its fields or methods");
  }
}
