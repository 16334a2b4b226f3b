package io.hapax.mark;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes SHA-256 digests, one for every message. A thread reuses its digest and result array. */
final class Sha256 {

  private static final int LENGTH = 32;
  private static final ThreadLocal<Sha256> OF_THREAD = ThreadLocal.withInitial(Sha256::new);

  private final MessageDigest digest;
  private final byte[] result = new byte[LENGTH];

  private Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must provide SHA-256", e);
    }
  }

  /** Returns the calling thread's digest, reset; valid until the thread asks for the next one. */
  static Sha256 fresh() {
    Sha256 fresh = OF_THREAD.get();
    fresh.digest.reset();
    return fresh;
  }

  void update(byte one) {
    digest.update(one);
  }

  void update(byte[] bytes) {
    digest.update(bytes);
  }

  /** Returns the digest; valid until the calling thread asks for the next one. */
  ByteBuffer result() {
    try {
      digest.digest(result, 0, LENGTH);
      return ByteBuffer.wrap(result);
    } catch (DigestException e) {
      throw new IllegalStateException("SHA-256 must have " + LENGTH + " bytes", e);
    }
  }
}
