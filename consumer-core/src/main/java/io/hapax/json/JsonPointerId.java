package io.hapax.json;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hapax.IdExtractor;
import io.hapax.mark.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Finds an id inside JSON: a text or an integer. The integer 17 and the text "17" are the same id.
 *
 * <p>A message has no id if its JSON is malformed or not valid UTF-8, or if the value at the
 * pointer is neither a text nor an integer, or if {@link IdExtractor#ofValue} refuses it. A
 * repeated field in an object and nesting deeper than 1000 count as malformed. A number with a
 * fraction or an exponent is not an integer. Thread-safe.
 */
public final class JsonPointerId {

  private static final ObjectReader JSON = JsonMapper.builder()
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .build()
      .reader();

  private final JsonPointer pointer;

  private JsonPointerId(JsonPointer pointer) {
    this.pointer = pointer;
  }

  /**
   * {@return an extractor of the id at a pointer}
   *
   * @param pointer an RFC 6901 pointer, for example {@code /order/id}
   * @throws IllegalArgumentException if the pointer is malformed
   */
  public static JsonPointerId of(String pointer) {
    return new JsonPointerId(JsonPointer.compile(pointer));
  }

  /**
   * {@return the id in bytes of JSON, empty if there is none}
   *
   * @param json the JSON, in UTF-8
   */
  public Optional<Bytes> in(byte[] json) {
    try {
      requireUtf8(json);
      return text(JSON.readTree(json)).flatMap(IdExtractor::ofValue);
    } catch (IOException corrupt) {
      return Optional.empty();
    }
  }

  /**
   * {@return the id in a text that was decoded from bytes, empty if there is none}
   *
   * @param json the JSON
   */
  public Optional<Bytes> in(String json) {
    try {
      return text(JSON.readTree(json)).flatMap(IdExtractor::ofValue);
    } catch (IOException corrupt) {
      return Optional.empty();
    }
  }

  /** Refuses invalid UTF-8: the parser accepts some of it, and would make two ids equal. */
  private static void requireUtf8(byte[] bytes) throws CharacterCodingException {
    var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
  }

  private Optional<String> text(JsonNode whole) {
    JsonNode node = whole.at(pointer);
    return node.isTextual() || node.isIntegralNumber()
        ? Optional.of(node.asText())
        : Optional.empty();
  }
}
