package io.hapax.console.http;

import io.hapax.mark.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An HTTP response.
 *
 * @param status the status
 * @param headers the headers, in their order; a name may occur twice
 * @param body the body; empty if there is a stream
 * @param events the stream of events that follows the headers
 */
public record Response(int status, List<Header> headers, Bytes body, Optional<EventStream> events) {

  /**
   * A header.
   *
   * @param name the name
   * @param value the value
   */
  public record Header(String name, String value) {}

  /**
   * Copies the headers.
   *
   * @param status the status
   * @param headers the headers
   * @param body the body
   * @param events the stream of events
   */
  public Response {
    headers = List.copyOf(headers);
  }

  /**
   * {@return a response with a text}
   *
   * @param status the status
   * @param type the media type
   * @param text the text
   */
  public static Response text(int status, String type, String text) {
    return body(status, type + "; charset=utf-8", Bytes.utf8(text));
  }

  /**
   * {@return a response with a body}
   *
   * @param status the status
   * @param type the media type
   * @param body the body
   */
  public static Response body(int status, String type, Bytes body) {
    return new Response(status, List.of(new Header("Content-Type", type)), body, Optional.empty());
  }

  /**
   * {@return a redirect: the browser requests the other page with GET}
   *
   * @param address the path and query
   */
  public static Response redirect(String address) {
    return new Response(
        303, List.of(new Header("Location", address)), Bytes.EMPTY, Optional.empty());
  }

  /**
   * {@return a response with a stream of events}
   *
   * @param events the stream
   */
  public static Response events(EventStream events) {
    return new Response(
        200,
        List.of(new Header("Content-Type", "text/event-stream; charset=utf-8")),
        Bytes.EMPTY,
        Optional.of(events));
  }

  /**
   * {@return the first value of a header}
   *
   * @param name the name, as it was set
   */
  public Optional<String> header(String name) {
    return headers.stream()
        .filter(header -> header.name().equalsIgnoreCase(name))
        .map(Header::value)
        .findFirst();
  }

  /**
   * {@return a copy with another header}
   *
   * @param name the name
   * @param value the value
   */
  public Response with(String name, String value) {
    List<Header> more = new ArrayList<>(headers);
    more.add(new Header(name, value));
    return new Response(status, more, body, events);
  }
}
