package io.hapax.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LineTest {

  private final EchoServer server = new EchoServer();

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void replies_are_read_even_if_the_client_has_gone_before_their_thread_runs() throws Exception {
    Deque<Runnable> directions = new ArrayDeque<>();
    Orders orders = new Orders();
    orders.order(Fault.delayedCommand());
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort())) {
      Line line =
          new Line(listener.accept(), connect(server.port()), new Gate(), orders, gone -> {});
      line.open(directions::add);
      client.getOutputStream().write("charge".getBytes(StandardCharsets.US_ASCII));

      directions.remove().run();
      Thread replies = new Thread(directions.remove());
      replies.start();
      orders.takeDelayed().forEach(Line::deliver);
      replies.join();
    }

    assertThat(server.heard.poll(30, TimeUnit.SECONDS)).isEqualTo("charge");
  }

  private static Socket connect(int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }
}
