package io.hapax.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProxiedConnectionTest {

  private final EchoServer server = new EchoServer();

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void replies_are_read_even_if_the_client_has_gone_before_their_thread_runs() throws Exception {
    Deque<Runnable> directions = new ArrayDeque<>();
    FaultPlan orders = new FaultPlan();
    orders.order(Fault.delayedCommand());
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort())) {
      ProxiedConnection line =
          new ProxiedConnection(listener.accept(), connect(server.port()), orders, gone -> {});
      line.open(directions::add);
      client.getOutputStream().write("charge".getBytes(StandardCharsets.US_ASCII));

      directions.remove().run();
      Thread replies = new Thread(directions.remove());
      replies.start();
      orders.takeDelayed().forEach(ProxiedConnection::deliver);
      replies.join();
    }

    assertThat(server.heard.poll(30, TimeUnit.SECONDS)).isEqualTo("charge");
  }

  /** The next command must not cancel the fault of a reply. */
  @Test
  void a_lost_reply_ends_the_connection_although_the_next_command_came() throws Exception {
    FaultPlan orders = new FaultPlan();
    orders.order(Fault.lostReply());
    PipedOutputStream client = new PipedOutputStream();
    CountDownLatch ended = new CountDownLatch(1);
    Socket hasty = new Hasty(
        new PipedInputStream(client),
        () -> {
          say(client, "next");
          assertThat(server.heard.poll(30, TimeUnit.SECONDS)).isEqualTo("charge");
          assertThat(server.heard.poll(30, TimeUnit.SECONDS)).isEqualTo("next");
          return null;
        },
        ended);
    ProxiedConnection line =
        new ProxiedConnection(hasty, connect(server.port()), orders, gone -> {});
    line.open(direction -> new Thread(direction).start());

    say(client, "charge");

    assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(orders.hasStruck()).isTrue();
  }

  /** A disconnected client may not have received the whole reply to its earlier command. */
  @Test
  void the_server_is_read_to_the_end_although_an_earlier_reply_failed() throws Exception {
    FaultPlan orders = new FaultPlan();
    orders.order(Fault.delayedCommand());
    PipedOutputStream client = new PipedOutputStream();
    CountDownLatch unheard = new CountDownLatch(1);
    Socket gone = new Hasty(
        new PipedInputStream(client),
        () -> {
          unheard.countDown();
          throw new IOException("gone");
        },
        new CountDownLatch(1));
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ProxiedConnection line =
          new ProxiedConnection(gone, connect(listener.getLocalPort()), orders, it -> {});
      line.open(direction -> new Thread(direction).start());
      Socket slow = listener.accept();
      say(client, "charge");
      await().until(orders::hasStruck);
      say(slow.getOutputStream(), "the rest of an earlier answer");
      assertThat(unheard.await(10, TimeUnit.SECONDS)).isTrue();

      CompletableFuture<String> heard = CompletableFuture.supplyAsync(() -> hearAll(slow));
      orders.takeDelayed().forEach(ProxiedConnection::deliver);

      assertThat(heard.get(10, TimeUnit.SECONDS)).isEqualTo("charge");
    }
  }

  private static String hearAll(Socket socket) {
    try (socket) {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void say(OutputStream client, String words) throws IOException {
    client.write(words.getBytes(StandardCharsets.US_ASCII));
    client.flush();
  }

  /** A client that acts as soon as a reply begins. */
  private static final class Hasty extends Socket {

    private final InputStream commands;
    private final OutputStream replies;
    private final CountDownLatch ended;

    Hasty(InputStream commands, Callable<?> onReply, CountDownLatch ended) {
      this.commands = commands;
      this.ended = ended;
      this.replies = new OutputStream() {
        @Override
        public void write(int next) {}

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          try {
            onReply.call();
          } catch (Exception e) {
            throw new IOException(e);
          }
        }
      };
    }

    @Override
    public InputStream getInputStream() {
      return commands;
    }

    @Override
    public OutputStream getOutputStream() {
      return replies;
    }

    @Override
    public void setSoLinger(boolean on, int seconds) {}

    @Override
    public synchronized void close() {
      ended.countDown();
    }
  }

  private static Socket connect(int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }
}
