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

/** One client, its server, and the bytes between them. */
final class ProxiedConnection {

  private static final int PATIENCE_SECONDS = 30;

  private final Socket client;
  private final Socket server;
  private final Throttle gate;
  private final FaultPlan orders;
  private final Consumer<ProxiedConnection> ended;
  private final CountDownLatch over = new CountDownLatch(1);
  private boolean answered = true;
  private int[] reply = new int[1];
  private Optional<Fault> fate = Optional.empty();
  private volatile boolean silent;

  ProxiedConnection(
      Socket client,
      Socket server,
      Throttle gate,
      FaultPlan orders,
      Consumer<ProxiedConnection> ended) {
    this.client = client;
    this.server = server;
    this.gate = gate;
    this.orders = orders;
    this.ended = ended;
  }

  /**
   * What becomes of some bytes.
   *
   * @param bytes how many of them pass
   * @param fault keeps the rest back and ends the line; empty if all pass
   */
  private record Passage(int bytes, Optional<Fault> fault) {}

  private interface Passing {
    Passage of(byte[] bytes) throws IOException;
  }

  /** Begins to pass on; each direction in a thread of its own. */
  void open(Consumer<Runnable> threads) {
    Runnable commands;
    Runnable replies;
    try {
      // Both before either runs: a socket that is closed already gives no stream any more, and the
      // replies have to be read whatever became of the client.
      commands = pump(client.getInputStream(), server.getOutputStream(), this::sent, this::end);
      replies = pump(server.getInputStream(), client.getOutputStream(), this::answered, this::drop);
    } catch (IOException e) {
      drop(Fault.Ending.RESET);
      return;
    }
    threads.accept(commands);
    threads.accept(replies);
  }

  /** Passes on until whoever speaks has gone; whoever listens may have gone before. */
  private Runnable pump(
      InputStream in, OutputStream out, Passing passing, Consumer<Fault.Ending> gone) {
    return () -> {
      byte[] buffer = new byte[64 * 1024];
      try {
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          gate.pass();
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
   * A server may still be answering something earlier when its client is cut off. It is heard on,
   * or nobody would hear that it has answered the delayed command.
   */
  private void write(OutputStream out, byte[] bytes, int length) {
    try {
      out.write(bytes, 0, length);
    } catch (IOException e) {
      end(Fault.Ending.RESET);
    }
  }

  /** Decides the fate of a command, and what of it the server may see. */
  private synchronized Passage sent(byte[] bytes) {
    boolean begins = answered;
    Optional<Fault> taken;
    synchronized (orders) { // commands of all lines are counted in the order of their replies
      if (begins) {
        answered = false;
        reply = orders.newReply();
        fate = Optional.empty();
      }
      taken = orders.take(bytes, begins);
    }
    if (taken.isPresent()) {
      fate = taken;
    }
    if (isDelayed()) {
      orders.delay(this, bytes);
    }
    return fate.filter(fault -> fault.loss() != Fault.Loss.REPLY)
        .map(fault -> new Passage(0, fate))
        .orElse(new Passage(bytes.length, Optional.empty()));
  }

  private synchronized Passage answered(byte[] bytes) {
    answered = true;
    int before = reply[0];
    orders.replied(reply, bytes.length);
    return fate.filter(fault -> fault.loss() == Fault.Loss.REPLY)
        .filter(fault -> fault.passed() < before + bytes.length)
        .map(fault -> new Passage(fault.passed() - before, fate))
        .orElse(new Passage(bytes.length, Optional.empty()));
  }

  private synchronized boolean isDelayed() {
    return fate.map(fault -> fault.loss() == Fault.Loss.DELAYED_COMMAND).orElse(false);
  }

  /** The fate of the line may be another one by now: its client may have spoken again. */
  private synchronized void strike(Fault fault) {
    orders.struck();
    end(fault.ending());
  }

  /** Lets nothing pass any more, for ever; but whoever ends the line is heard. */
  void silence() {
    silent = true;
  }

  /** Sends the server what was kept from it, and returns when it has answered or gone. */
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
      if (!over.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the server did not answer a delayed command");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a server answers", e);
    }
  }

  /** Ends the line; but a server that is to see a delayed command still has its client. */
  void end(Fault.Ending how) {
    end(client, how);
    if (!isDelayed()) {
      drop(how);
    }
  }

  /** Ends the line in any case. */
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
