package io.hapax.spring.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockPart;

/** A request with a body of unknown length, and a response that waits for its mark. */
class BufferedRequestTest {

  private final MockHttpServletResponse response = new MockHttpServletResponse();
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

  @Test
  void no_body_redirect_or_error_is_sent_before_the_release() throws IOException {
    HeldResponse held = new HeldResponse(response);
    held.getOutputStream().write("body".getBytes(UTF_8));
    held.flushBuffer();
    assertThat(response.isCommitted()).isFalse();
    assertThat(response.getContentAsString()).isEmpty();
    held.release();
    assertThat(response.getContentAsString()).isEqualTo("body");

    MockHttpServletResponse redirecting = new MockHttpServletResponse();
    HeldResponse redirect = new HeldResponse(redirecting);
    redirect.sendRedirect("/there");
    assertThat(redirecting.isCommitted()).isFalse();
    redirect.release();
    assertThat(redirecting.getStatus()).isEqualTo(302);
    assertThat(redirecting.getHeader("Location")).isEqualTo("/there");

    MockHttpServletResponse failing = new MockHttpServletResponse();
    HeldResponse error = new HeldResponse(failing);
    error.sendError(404, "gone");
    assertThat(failing.isCommitted()).isFalse();
    error.release();
    assertThat(failing.getErrorMessage()).isEqualTo("gone");
  }

  @Test
  void a_redirect_of_servlet_6_1_is_not_sent_before_the_release() throws IOException {
    HeldResponse held = new HeldResponse(response);
    held.getOutputStream().write("body".getBytes(StandardCharsets.UTF_8));
    held.sendRedirect("/kept", 307, false);
    assertThat(held.getContentSize()).isEqualTo(4);
    held.sendRedirect("/kept", false);
    assertThat(held.getContentSize()).isEqualTo(4);
    held.sendRedirect("/there", 303);
    assertThat(response.isCommitted()).isFalse();

    held.release();
    assertThat(response.getStatus()).isEqualTo(303);
    assertThat(response.getHeader("Location")).isEqualTo("/there");
    assertThat(response.getContentAsString()).isEmpty();
  }

  @Test
  void a_committed_response_is_not_discarded() throws IOException {
    HeldResponse held = new HeldResponse(response);
    response.flushBuffer();
    held.discard();

    assertThat(response.isCommitted()).isTrue();
  }

  @Test
  void a_discarded_response_leaves_the_headers_of_outer_filters() {
    response.addHeader("Vary", "Origin");
    HeldResponse held = new HeldResponse(response);
    held.setStatus(201);
    held.setHeader("Location", "/orders/1");
    held.discard();

    assertThat(response.getStatus()).isEqualTo(200);
    assertThat(response.getHeaderNames()).containsExactly("Vary");
    assertThat(response.getHeaders("Vary")).containsExactly("Origin");
  }

  @Test
  void an_answer_is_read_as_it_was_stored() throws IOException {
    HeldResponse held = new HeldResponse(response);
    held.setStatus(201);
    held.setContentType("text/plain;charset=UTF-8");
    held.addHeader("Link", "</a>");
    held.addHeader("Link", "</b>");
    held.addHeader("Set-Cookie", "session=secret");
    held.getWriter().write("caf\u00e9");
    MockHttpServletResponse later = new MockHttpServletResponse();
    StoredAnswer answer = held.answer(List.of("Link"));
    StoredAnswer.read(answer.toBytes()).orElseThrow().send(later);

    assertThat(later.getStatus()).isEqualTo(201);
    assertThat(later.getContentType()).isEqualTo("text/plain;charset=UTF-8");
    assertThat(later.getHeaders("Link")).containsExactly("</a>", "</b>");
    assertThat(later.getHeader("Set-Cookie")).isNull();
    assertThat(later.getContentAsString()).isEqualTo("caf\u00e9");
  }

  @Test
  void an_answer_of_another_version_or_form_is_not_read() {
    for (byte[] stored : new byte[][] {{}, {2, 0, 0}, {1, 0}, {1, 0, -56, 0, 0, 9}}) {
      assertThat(StoredAnswer.read(io.hapax.mark.Bytes.of(stored))).isEmpty();
    }
  }
}
