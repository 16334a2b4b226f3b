package io.hapax.demo;

import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.servers.LocalRocketMq;
import io.hapax.store.InMemoryDedupStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class RocketMqSourceTest {

  private static final Duration BOUND = Duration.ofSeconds(90);

  @Test
  void a_service_that_starts_while_its_broker_is_away_waits_for_it() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Parent parent = new Parent();
    ByteArrayOutputStream reported = new ByteArrayOutputStream();
    try (LocalRocketMq rocketMq = LocalRocketMq.start();
        InMemoryDedupStore store = new InMemoryDedupStore()) {
      rocketMq.createTopic(OrderBroker.TOPIC, 1);
      rocketMq.kill();
      ParentWatch watch = ParentWatch.of(parent);
      RocketMqSource source =
          new RocketMqSource(rocketMq.nameServer(), false, new Reports(reported));
      try (IdempotentReceiver<MessageExt> receiver =
          source.receiver("shop").leased(store, delivery -> {})) {
        Future<?> fed = thread.submit(() -> {
          source.feed(receiver, watch);
          return source;
        });
        hangUpOnTheFirst(rocketMq.nameServer());
        rocketMq.restart();
        await()
            .atMost(BOUND)
            .until(() ->
                fed.isDone() || reported.toString(StandardCharsets.UTF_8).contains(Reports.READY));
        parent.say(ParentWatch.STOP);
        fed.get(BOUND.toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      thread.shutdownNow();
    }
  }

  /** Listens in place of the name server until a client has connected. */
  private static void hangUpOnTheFirst(String nameServer) throws IOException {
    int port = Integer.parseInt(nameServer.substring(nameServer.lastIndexOf(':') + 1));
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout((int) BOUND.toMillis());
      socket.accept().close();
    }
  }

  /** Never ends: the end would halt this JVM. */
  private static final class Parent extends InputStream {

    private final BlockingQueue<Byte> said = new LinkedBlockingQueue<>();

    void say(String word) {
      for (byte letter : (word + '\n').getBytes(StandardCharsets.UTF_8)) {
        said.add(letter);
      }
    }

    @Override
    public int read() throws IOException {
      try {
        return said.take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      }
    }

    @Override
    public int read(byte[] into, int at, int atMost) throws IOException {
      into[at] = (byte) read();
      return 1;
    }
  }
}
