package io.hapax.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

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
