package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("invariant 15: an id is bytes, and ids that differ in any byte stay different")
class MessageKeyTest {

  private static final String SCOPE = "orders-1";

  @Test
  void every_single_byte_makes_a_different_id() {
    Set<MessageKey> keys = new HashSet<>(IntStream.range(0, 256)
        .mapToObj(value -> MessageKey.of(SCOPE, Bytes.of(new byte[] {(byte) value})))
        .toList());
    assertThat(keys).hasSize(256);
  }

  @Test
  void scope_and_id_cannot_flow_into_each_other() {
    assertThat(MessageKey.of("ab", "c")).isNotEqualTo(MessageKey.of("a", "bc"));
    assertThat(MessageKey.of("a/b", "c")).isNotEqualTo(MessageKey.of("a", "b/c"));
  }

  @Test
  void store_key_is_half_a_sha256_over_length_prefixed_scope_and_id() throws Exception {
    byte[] scope = "Bücher".getBytes(StandardCharsets.UTF_8);
    byte[] id = new byte[300];
    IntStream.range(0, id.length).forEach(i -> id[i] = (byte) i);
    ByteBuffer input = ByteBuffer.allocate(8 + scope.length + id.length);
    input.putInt(scope.length).put(scope).putInt(id.length).put(id);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(input.array());

    MessageKey key = MessageKey.of("Bücher", Bytes.of(id));

    assertThat(key.storeKey()).isEqualTo(Arrays.copyOf(digest, 16));
    assertThat(key.high()).isEqualTo(ByteBuffer.wrap(digest).getLong(0));
    assertThat(key.low()).isEqualTo(ByteBuffer.wrap(digest).getLong(8));
  }

  @Test
  void store_key_cannot_be_changed() {
    MessageKey key = MessageKey.of(SCOPE, "42");
    byte[] before = key.storeKey();
    key.storeKey()[0] ^= 1;
    assertThat(key.storeKey()).isEqualTo(before);
  }

  @Test
  void text_id_is_its_utf8_bytes() {
    MessageKey key = MessageKey.of(SCOPE, "größe-😀");
    assertThat(key).isEqualTo(MessageKey.of(SCOPE, Bytes.utf8("größe-😀")));
    assertThat(key).hasSameHashCodeAs(MessageKey.of(SCOPE, Bytes.utf8("größe-😀")));
    assertThat(key.scope()).isEqualTo(SCOPE);
    assertThat(key.id()).isEqualTo(Bytes.utf8("größe-😀"));
  }

  @Test
  void empty_and_oversized_ids_are_refused_by_their_bytes() {
    String longest = "é".repeat(MessageKey.MAX_ID_BYTES / 2);
    assertThat(MessageKey.of(SCOPE, longest).id().length()).isEqualTo(MessageKey.MAX_ID_BYTES);
    assertRefused(SCOPE, "", "0 bytes");
    assertRefused(SCOPE, longest + "x", "16385 bytes");
  }

  @Test
  void scopes_that_are_blank_oversized_or_no_text_for_a_column_are_refused() {
    String longest = "é".repeat(MessageKey.MAX_SCOPE_BYTES / 2);
    assertThat(MessageKey.of(longest, "42").scope()).isEqualTo(longest);
    for (String scope : List.of("", "  ", longest + "x")) {
      assertRefused(scope, "42", "scope is '" + scope + "'");
    }
    assertRefused("a\u0000b", "42", "scope is 'a?b'");
    assertRefused("a\ud800", "42", "unpaired surrogate");
  }

  private static void assertRefused(String scope, String id, String problem) {
    assertThatThrownBy(() -> MessageKey.of(scope, id))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void keys_order_like_the_unsigned_bytes_of_their_store_keys() {
    List<MessageKey> keys = IntStream.range(0, 500)
        .mapToObj(number -> MessageKey.of(SCOPE, "order-" + number))
        .toList();
    assertThat(keys).as("both signs occur").anyMatch(it -> it.high() < 0);
    assertThat(keys.stream().sorted().map(MessageKey::storeKey).toList())
        .isSortedAccordingTo(Arrays::compareUnsigned);
  }

  @Test
  void order_agrees_with_equality() {
    MessageKey one = MessageKey.of(SCOPE, "1");
    assertThat(one).isEqualByComparingTo(MessageKey.of(SCOPE, "1"));
    assertThat(one.compareTo(MessageKey.of(SCOPE, "2")))
        .isEqualTo(-MessageKey.of(SCOPE, "2").compareTo(one));
    assertThat(one.equals(new Object())).isFalse();
  }

  @Test
  void printed_key_names_scope_and_id_and_cannot_flood_or_forge_a_log() {
    assertThat(MessageKey.of(SCOPE, "order-42")).hasToString("orders-1/order-42");
    assertThat(MessageKey.of(SCOPE, "a\nERROR b")).hasToString("orders-1/0x610a4552524f522062");
    assertThat(MessageKey.of(SCOPE, "x".repeat(10_000)).toString())
        .hasSizeLessThan(120)
        .endsWith("...(10000 bytes)");
  }
}
