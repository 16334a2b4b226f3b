package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.console.operations.Deployment;
import io.hapax.store.InMemoryDedupStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the console on the HTTP server of the JDK. */
class ConsoleServerTest {

  private static final String FORM = "application/x-www-form-urlencoded";

  private static final String ENDLESS_FORM = "POST /signin HTTP/1.1\r\nHost: localhost\r\n"
      + "Content-Type: " + FORM + "\r\nContent-Length: 1000\r\n\r\ntoken=";

  private final HttpClient http = HttpClient.newHttpClient();
  private ConsoleServer server;

  @BeforeEach
  void start() throws IOException {
    server = start(RequestThreads.LIMIT);
  }

  private static ConsoleServer start(Duration limit) throws IOException {
    Console console = Console.open(
        ConsoleSettings.standalone(Visitor.TOKEN),
        Deployment.of(Marks.CONSUMER, new InMemoryDedupStore()));
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return ConsoleServer.start(console, anyPort, Optional.empty(), limit);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void restart(Duration limit) throws IOException {
    server.close();
    server = start(limit);
  }

  private HttpResponse<String> post(String type, String body) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(server.address() + "/signin"))
        .header("Content-Type", type)
        .POST(BodyPublishers.ofString(body))
        .build();
    return http.send(request, BodyHandlers.ofString());
  }

  @Test
  void a_form_that_is_too_long_is_refused() throws Exception {
    String body = "token=" + "x".repeat(ConsoleServer.LONGEST_BODY);
    assertThat(post(FORM, body).statusCode()).isEqualTo(413);
    assertThat(post(FORM, "token=" + Visitor.TOKEN).statusCode()).isEqualTo(303);
  }

  @Test
  void only_forms_are_understood() throws Exception {
    assertThat(post("application/json", "{}").statusCode()).isEqualTo(415);
    assertThat(post(FORM, "token=%zz").statusCode()).isEqualTo(400);
    assertThat(post(FORM, "a&".repeat(20_000)).statusCode()).isEqualTo(400);
  }

  /** A browser that sends its next request on the same connection must get a response. */
  @Test
  void a_connection_is_kept_for_the_next_request() throws Exception {
    URI address = server.address();
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(30_000);
      for (String path : new String[] {"/signin", "/", "/assets/console.css", "/signin"}) {
        String request =
            "GET " + path + " HTTP/1.1\r\nHost: localhost:" + address.getPort() + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        assertThat(answer(socket.getInputStream())).as(path).startsWith("HTTP/1.1 ");
      }
    }
  }

  @Test
  void connections_that_send_no_more_block_no_page() throws Exception {
    try (Connections slow = new Connections()) {
      for (int i = 0; i < 200; i++) {
        slow.open(i % 2 == 0 ? "GET / HT" : ENDLESS_FORM);
      }
      for (String path : new String[] {"/signin", "/metrics"}) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.address() + path))
            .header("Authorization", "Bearer " + Visitor.TOKEN)
            .timeout(Duration.ofSeconds(10))
            .build();
        assertThat(http.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HT", ENDLESS_FORM})
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void a_request_that_takes_too_long_is_cut_off(String begin) throws Exception {
    restart(Duration.ofMillis(50));
    try (Connections slow = new Connections()) {
      assertThat(slow.open(begin).getInputStream().read()).isEqualTo(-1);
    }
  }

  /** The client writes until the server closes the connection, and reads nothing. */
  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void a_response_that_nothing_reads_is_cut_off() throws Exception {
    restart(Duration.ofMillis(200));
    try (Connections slow = new Connections()) {
      OutputStream out = slow.open("").getOutputStream();
      byte[] request = "GET /assets/console.css HTTP/1.1\r\nHost: localhost\r\n\r\n"
          .getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> {
            while (true) {
              out.write(request);
            }
          })
          .isInstanceOf(IOException.class);
    }
  }

  /** Connections of clients that are too slow. */
  private final class Connections implements AutoCloseable {

    private final List<Socket> open = new ArrayList<>();

    Socket open(String begin) throws IOException {
      Socket socket = new Socket(server.address().getHost(), server.address().getPort());
      open.add(socket);
      socket.getOutputStream().write(begin.getBytes(StandardCharsets.UTF_8));
      return socket;
    }

    @Override
    public void close() throws IOException {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  /** Reads the headers and the body of one response. */
  private static String answer(InputStream in) throws IOException {
    StringBuilder headers = new StringBuilder();
    int next = in.read();
    while (next >= 0) {
      headers.append((char) next);
      if (headers.toString().endsWith("\r\n\r\n")) {
        break;
      }
      next = in.read();
    }
    for (String line : headers.toString().split("\r\n", -1)) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
        in.readNBytes(Integer.parseInt(line.substring("content-length: ".length())));
      }
    }
    return headers.toString();
  }
}
