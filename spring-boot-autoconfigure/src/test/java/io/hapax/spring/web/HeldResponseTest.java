package io.hapax.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;

/** A response that waits for its mark. */
class HeldResponseTest {

  private final MockHttpServletResponse response = new MockHttpServletResponse();

  @Test
  void nothing_is_sent_before_the_release() throws IOException {
    HeldResponse held = new HeldResponse(response);
    held.getOutputStream().write("body".getBytes(StandardCharsets.UTF_8));
    held.flushBuffer();
    assertThat(response.isCommitted()).isFalse();
    assertThat(response.getContentAsString()).isEmpty();

    held.release();
    assertThat(response.getContentAsString()).isEqualTo("body");
  }

  @Test
  void a_redirect_is_not_sent_before_the_release() throws IOException {
    HeldResponse held = new HeldResponse(response);
    held.sendRedirect("/there");
    assertThat(response.isCommitted()).isFalse();

    held.release();
    assertThat(response.getStatus()).isEqualTo(302);
    assertThat(response.getHeader("Location")).isEqualTo("/there");
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
  void an_error_is_not_sent_before_the_release() throws IOException {
    HeldResponse held = new HeldResponse(response);
    held.sendError(404, "gone");
    assertThat(response.isCommitted()).isFalse();

    held.release();
    assertThat(response.getErrorMessage()).isEqualTo("gone");
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
