package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("invariant 11: a fingerprint distinguishes another payload from a duplicate")
class FingerprintTest {

  private static final Fingerprint ONE = SampleMarks.fingerprint("one");

  @Test
  void empty_payload_has_a_fingerprint_too() {
    assertThat(Fingerprint.of(new byte[0])).isNotEqualTo(Fingerprint.NONE);
    assertThat(Fingerprint.of(new byte[0]).conflictsWith(ONE)).isTrue();
  }

  @Test
  void value_is_the_head_of_a_sha256_so_that_every_version_agrees() throws Exception {
    byte[] payload = {1, 2, 3};
    long head =
        ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(payload)).getLong();
    assertThat(Fingerprint.of(payload).value()).isEqualTo(head);
  }
}
