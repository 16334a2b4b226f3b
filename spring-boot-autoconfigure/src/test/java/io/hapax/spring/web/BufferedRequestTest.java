package io.hapax.spring.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockPart;

/** A request with a body of unknown length. */
class BufferedRequestTest {

  private final MockHttpServletRequest request = new MockHttpServletRequest("POST", "/upload");

  @Test
  void no_part_of_a_body_that_is_too_long_is_read_into_memory() throws Exception {
    request.setContentType("multipart/form-data; boundary=b");
    request.addPart(new PartOnDisk());

    assertThat(BufferedRequest.read(request, "", true, 1_000_000)).isEmpty();
  }

  @Test
  void the_fingerprint_of_a_body_is_that_of_earlier_versions() throws Exception {
    request.setContent("x".getBytes(UTF_8));

    assertThat(BufferedRequest.read(request, "", false, 100).orElseThrow().content())
        .isEqualTo(lengthPrefixed("POST", "/upload", "null", "x"));
  }

  @Test
  void the_fingerprint_of_parts_is_that_of_earlier_versions() throws Exception {
    request.setContentType("multipart/form-data; boundary=b");
    request.addPart(new MockPart("p", "x".getBytes(UTF_8)));

    assertThat(BufferedRequest.read(request, "", true, 100).orElseThrow().content())
        .isEqualTo(lengthPrefixed("POST", "/upload", "null", "p", "null", "null", "x", ""));
  }

  @Test
  void the_fingerprint_has_the_handler_of_a_shared_path() throws Exception {
    request.setContent("x".getBytes(UTF_8));
    byte[] of = BufferedRequest.read(request, "pay", false, 100).orElseThrow().content();
    request.setContent("x".getBytes(UTF_8));

    assertThat(BufferedRequest.read(request, "cancel", false, 100).orElseThrow().content())
        .isNotEqualTo(of);
  }

  private static byte[] lengthPrefixed(String... texts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String text : texts) {
      bytes.writeBytes(new byte[] {0, 0, 0, (byte) text.length()});
      bytes.writeBytes(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  /** A long part, which the container has on disk. */
  private static final class PartOnDisk extends MockPart {

    PartOnDisk() {
      super("file", new byte[0]);
    }

    @Override
    public long getSize() {
      return 150_000_000;
    }

    @Override
    public InputStream getInputStream() {
      throw new AssertionError("the part was read");
    }
  }
}
