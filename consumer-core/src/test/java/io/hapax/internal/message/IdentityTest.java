package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.MessageKeys;
import io.hapax.policy.MissingIdPolicy;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IdentityTest {

  private static Identity<String> identity(MissingIdPolicy policy) {
    return new Identity<>(
        new MessageKeys("orders"),
        text -> Optional.of(Bytes.utf8(text)),
        policy,
        text -> Fingerprint.NONE);
  }

  private final Identity<String> byCoordinates = identity(MissingIdPolicy.COORDINATES);

  @Test
  void a_blank_id_is_no_id() {
    assertThat(byCoordinates.ownKeyOf("A")).hasValue(MessageKey.of("orders", "A"));
    assertThat(byCoordinates.ownKeyOf(" \t")).isEmpty();
  }

  @Test
  void coordinates_replace_an_id_only_by_policy() {
    assertThat(byCoordinates.keyOf("p0@1")).isPresent();
    assertThat(identity(MissingIdPolicy.DEAD_LETTER).keyOf("p0@1")).isEmpty();
    assertThat(identity(MissingIdPolicy.FAIL).keyOf("p0@1")).isEmpty();
  }

  @Test
  void a_key_of_coordinates_differs_from_that_of_the_same_text() {
    assertThat(byCoordinates.keyOf("p0@1")).isNotEqualTo(byCoordinates.ownKeyOf("p0@1"));
  }

  @Test
  void coordinates_that_are_too_long_are_no_id() {
    String longest = "x".repeat(MessageKey.MAX_ID_BYTES - 1);

    assertThat(byCoordinates.keyOf(longest)).isPresent();
    assertThat(byCoordinates.keyOf(longest + "x")).isEmpty();
  }
}
