package io.hapax.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Is the input of a consumer from its parent. It never ends: the end would halt this JVM. */
final class ParentInput extends InputStream {

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
