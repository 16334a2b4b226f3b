package io.hapax.testkit.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Forwards data between one client and its server. */
final class ProxiedConnection {

  private static final int TIMEOUT_SECONDS = 30;

  private final Socket client;
  private final Socket server;
  private final FaultPlan plan;
  private final Consumer<ProxiedConnection> ended;
  private final CountDownLatch over = new CountDownLatch(1);
  private boolean answered = true;
  private int[] reply = new int[1];
  private Optional<Fault> fate = Optional.empty();
  private volatile boolean silent;

  ProxiedConnection(
      Socket client, Socket server, FaultPlan plan, Consumer<ProxiedConnection> ended) {
    this.client = client;
    this.server = server;
    this.plan = plan;
    this.ended = ended;
  }

  /**
   * The number of bytes that pass, and the fault that withholds the rest and ends the connection.
   */
  private record Passage(int bytes, Optional<Fault> fault) {}

  private interface Passing {
    Passage of(byte[] bytes) throws IOException;
  }

  void open(Consumer<Runnable> threads) {
    Runnable commands;
    Runnable replies;
    try {
      // Both are created before either runs, because a closed socket has no streams. The replies
      // must be read even if the client has left.
      commands = pump(client.getInputStream(), server.getOutputStream(), this::sent, this::end);
      replies = pump(server.getInputStream(), client.getOutputStream(), this::answered, this::drop);
    } catch (IOException e) {
      drop(Fault.Ending.RESET);
      return;
    }
    threads.accept(commands);
    threads.accept(replies);
  }

  /** Forwards until the sender has left; the receiver may have left before. */
  private Runnable pump(
      InputStream in, OutputStream out, Passing passing, Consumer<Fault.Ending> gone) {
    return () -> {
      byte[] buffer = new byte[64 * 1024];
      try {
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          plan.pass();
          if (silent) {
            continue;
          }
          byte[] bytes = Arrays.copyOf(buffer, length);
          Passage passage = passing.of(bytes);
          write(out, bytes, passage.bytes());
          if (passage.fault().isPresent()) {
            strike(passage.fault().get());
            return;
          }
        }
        gone.accept(Fault.Ending.CLOSE);
      } catch (IOException e) {
        gone.accept(Fault.Ending.RESET);
      }
    };
  }

  /**
   * Writes a piece. If the client was disconnected during an earlier reply, the server must still
   * be read, or its answer to the delayed command would be missed.
   */
  private void write(OutputStream out, byte[] bytes, int length) {
    try {
      out.write(bytes, 0, length);
    } catch (IOException e) {
      end(Fault.Ending.RESET);
    }
  }

  /** Decides the fate of a command, and which part of it the server receives. */
  private synchronized Passage sent(byte[] bytes) {
    if (answered) {
      answered = false;
      synchronized (plan) { // counts commands of all connections in the order of their replies
        reply = plan.newReply();
        fate = plan.take();
      }
    }
    if (isDelayed()) {
      plan.delay(this, bytes);
    }
    return fate.filter(fault -> fault.loss() != Fault.Loss.REPLY)
        .map(fault -> new Passage(0, fate))
        .orElse(new Passage(bytes.length, Optional.empty()));
  }

  private synchronized Passage answered(byte[] bytes) {
    answered = true;
    int before = reply[0];
    plan.replied(reply, bytes.length);
    return fate.filter(fault -> fault.loss() == Fault.Loss.REPLY)
        .filter(fault -> fault.passed() < before + bytes.length)
        .map(fault -> new Passage(fault.passed() - before, fate))
        .orElse(new Passage(bytes.length, Optional.empty()));
  }

  private synchronized boolean isDelayed() {
    return fate.map(fault -> fault.loss() == Fault.Loss.DELAYED_COMMAND).orElse(false);
  }

  /**
   * Ends the connection with this fault. Its fate may be another one by now, because the client may
   * have sent again.
   */
  private synchronized void strike(Fault fault) {
    plan.struck();
    end(fault.ending());
  }

  /** Forwards nothing from now on, but still notices the end of the connection. */
  void silence() {
    silent = true;
  }

  /** Sends the delayed command to the server; returns when the server has answered or left. */
  void deliver(byte[] command) {
    synchronized (this) {
      fate = Optional.empty();
    }
    try {
      server.getOutputStream().write(command);
      server.shutdownOutput();
    } catch (IOException e) {
      drop(Fault.Ending.RESET);
    }
    try {
      if (!over.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the server did not answer a delayed command");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a server answers", e);
    }
  }

  /** Ends the connection, except to a server that still has to receive a delayed command. */
  void end(Fault.Ending how) {
    end(client, how);
    if (!isDelayed()) {
      drop(how);
    }
  }

  void drop(Fault.Ending how) {
    end(client, how);
    end(server, how);
    ended.accept(this);
    over.countDown();
  }

  static void end(Socket socket, Fault.Ending how) {
    try {
      if (how == Fault.Ending.RESET) {
        socket.setSoLinger(true, 0);
      }
      socket.close();
    } catch (IOException e) {
      // It is closed already.
    }
  }
}
