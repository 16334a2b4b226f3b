package io.hapax.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FaultProxyTest {

  private final EchoServer server = new EchoServer();
  private final FaultProxy proxy = FaultProxy.before(server.port());
  private final List<Socket> opened = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket socket : opened) {
      socket.close();
    }
    proxy.close();
    server.close();
  }

  private Socket connect() throws IOException {
    return connect(proxy.port());
  }

  private Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(30_000);
    opened.add(socket);
    return socket;
  }

  private static void say(Socket socket, String words) throws IOException {
    socket.getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
  }

  private static String hear(Socket socket, int bytes) throws IOException {
    byte[] heard = socket.getInputStream().readNBytes(bytes);
    if (heard.length < bytes) {
      throw new EOFException("the connection ended");
    }
    return new String(heard, StandardCharsets.US_ASCII);
  }

  private static String ask(Socket socket, String words) throws IOException {
    say(socket, words);
    return hear(socket, words.length());
  }

  private String serverHeard() throws InterruptedException {
    String heard = server.heard.poll(30, TimeUnit.SECONDS);
    return heard == null ? "nothing" : heard;
  }

  @Test
  void without_a_fault_everything_passes() throws Exception {
    Socket one = connect();
    Socket two = connect();

    assertThat(ask(one, "a") + ask(two, "b") + ask(one, "c")).isEqualTo("abc");
    one.close();

    assertThat(List.of(serverHeard(), serverHeard(), serverHeard(), serverHeard()))
        .containsExactly("a", "b", "c", "end");
  }

  @Test
  void a_lost_reply_is_the_reply_to_something_that_was_executed() throws Exception {
    Socket client = connect();
    proxy.next(Fault.lostReply());

    assertThatThrownBy(() -> ask(client, "charge")).isInstanceOf(SocketException.class);

    assertThat(serverHeard()).isEqualTo("charge");
    assertThat(proxy.hasStruck()).isTrue();
    assertThat(ask(connect(), "again")).isEqualTo("again");
  }

  @Test
  void a_reply_is_cut_behind_the_bytes_that_pass() throws Exception {
    for (int passed = 0; passed < 6; passed++) {
      Socket client = connect();
      proxy.next(Fault.lostReply().afterBytes(passed));
      say(client, "charge");

      assertThat(hear(client, passed)).isEqualTo("charge".substring(0, passed));
      assertThatThrownBy(() -> hear(client, 1)).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void a_reply_that_is_shorter_than_what_passes_is_not_cut() throws Exception {
    Socket client = connect();
    proxy.next(Fault.lostReply().afterBytes(6));

    assertThat(ask(client, "charge") + ask(client, "refund")).isEqualTo("chargerefund");

    assertThat(proxy.hasStruck()).isFalse();
  }

  @Test
  void a_fault_strikes_only_the_command_that_it_was_set_for() throws Exception {
    Socket one = connect();
    Socket two = connect();
    proxy.next(Fault.lostReply().ofCommand(3));

    assertThat(ask(one, "a") + ask(two, "b")).isEqualTo("ab");
    assertThatThrownBy(() -> ask(one, "c")).isInstanceOf(SocketException.class);

    assertThat(ask(two, "d")).isEqualTo("d");
  }

  @Test
  void a_lost_command_is_not_executed() throws Exception {
    Socket client = connect();
    proxy.next(Fault.lostCommand());

    assertThatThrownBy(() -> ask(client, "charge")).isInstanceOf(SocketException.class);

    assertThat(serverHeard()).isIn("end", "broken");
  }

  @Test
  void a_delayed_command_is_executed_when_its_sender_has_given_up() throws Exception {
    Socket client = connect();
    proxy.next(Fault.delayedCommand());
    assertThatThrownBy(() -> ask(client, "charge")).isInstanceOf(SocketException.class);
    assertThat(server.heard).isEmpty();

    proxy.release();

    assertThat(serverHeard()).isEqualTo("charge");
    assertThat(serverHeard()).isIn("end", "broken");
  }

  @Test
  void a_connection_that_ends_in_good_order_is_closed_not_reset() throws Exception {
    Socket client = connect();
    proxy.next(Fault.lostReply().inGoodOrder());
    say(client, "charge");

    assertThat(client.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void lengths_of_replies_are_recorded() throws Exception {
    Socket client = connect();
    ask(client, "before");
    proxy.cancel();

    ask(client, "one");
    ask(client, "three");

    assertThat(proxy.replyLengths()).containsExactly(3, 5);
  }

  @Test
  void what_was_stalled_passes_later() throws Exception {
    Socket client = connect();
    ask(client, "before");
    proxy.stall();
    say(client, "charge");
    client.setSoTimeout(100);
    assertThatThrownBy(() -> hear(client, 6)).isInstanceOf(SocketTimeoutException.class);
    client.setSoTimeout(30_000);

    proxy.resume();

    assertThat(hear(client, 6)).isEqualTo("charge");
  }

  @Test
  void connections_that_are_reset_or_hung_up_end_for_both_sides() throws Exception {
    Socket reset = connect();
    ask(reset, "a");
    proxy.reset();
    assertThatThrownBy(() -> hear(reset, 1)).isInstanceOf(SocketException.class);

    Socket hungUp = connect();
    ask(hungUp, "b");
    proxy.hangUp();
    assertThat(hungUp.getInputStream().read()).isEqualTo(-1);

    List<String> heard = new ArrayList<>(); // also of clients that look for a former server here
    while (!heard.containsAll(List.of("a", "b"))
        || heard.stream().filter(Set.of("end", "broken")::contains).count() < 2) {
      heard.add(serverHeard());
      assertThat(heard).doesNotContain("nothing");
    }
  }

  @Test
  void connections_are_refused_until_the_port_is_open_again() throws Exception {
    Socket client = connect();
    ask(client, "before");
    for (int time = 0; time < 3; time++) {
      proxy.refuse();
      assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
      proxy.admit();

      assertThat(ask(connect(), "after")).isEqualTo("after");
    }
    assertThatThrownBy(() -> hear(client, 1)).isInstanceOf(SocketException.class);
  }

  @Test
  void a_client_is_refused_while_the_server_is_down() throws Exception {
    try (Socket nobody = new Socket()) { // keeps its port, and does not listen
      nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (FaultProxy before = FaultProxy.before(nobody.getLocalPort());
          Socket client = new Socket(InetAddress.getLoopbackAddress(), before.port())) {
        client.setSoTimeout(30_000);

        assertThatThrownBy(() -> hear(client, 1)).isInstanceOf(SocketException.class);
      }
    }
  }

  @Test
  void silenced_connections_stay_silent_and_new_ones_work() throws Exception {
    Socket silent = connect();
    assertThat(ask(silent, "a")).isEqualTo("a");

    proxy.silence();
    say(silent, "b");

    assertThat(ask(connect(), "c")).isEqualTo("c");
    silent.setSoTimeout(100);
    assertThatThrownBy(() -> hear(silent, 1)).isInstanceOf(SocketTimeoutException.class);
    assertThat(server.heard).containsExactly("a", "c");
  }

  @Test
  void it_counts_commands_to_all_its_servers_and_refuses_for_all() throws Exception {
    try (EchoServer other = new EchoServer();
        FaultProxy before = FaultProxy.before(List.of(server.port(), other.port()))) {
      Socket one = connect(before.portBefore(server.port()));
      Socket two = connect(before.portBefore(other.port()));
      before.next(Fault.lostReply().ofCommand(3));

      assertThat(ask(one, "a") + ask(two, "b")).isEqualTo("ab");
      assertThatThrownBy(() -> ask(two, "c")).isInstanceOf(SocketException.class);
      assertThat(ask(one, "d")).isEqualTo("d");

      assertThat(server.heard).containsExactly("a", "d");
      assertThat(other.heard).startsWith("b", "c");
      before.refuse();
      for (EchoServer each : List.of(server, other)) {
        assertThatThrownBy(() -> connect(before.portBefore(each.port())))
            .isInstanceOf(ConnectException.class);
      }
      before.admit();
      assertThat(ask(connect(before.portBefore(other.port())), "e")).isEqualTo("e");
    }
  }
}
