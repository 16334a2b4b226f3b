package io.hapax.operations.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * A hash table of the ids that were read so far, each by the 128 bits of its key, in the order of
 * reading. An id takes 37 bytes and 7 to 14 bytes in the index. Only the index is copied when the
 * table grows. Keys are digests, so their bits need no further hashing.
 */
final class IdTable {

  private static final int CHUNK_BITS = 14;
  private static final int CHUNK = 1 << CHUNK_BITS;
  private static final int FIRST_SLOTS = 1 << 16;
  private static final int MOST = 600_000_000;

  private final List<long[]> highs = new ArrayList<>();
  private final List<long[]> lows = new ArrayList<>();
  private final List<long[]> payloads = new ArrayList<>();
  private final List<long[]> headers = new ArrayList<>();
  private final List<byte[]> flags = new ArrayList<>();
  private final List<int[]> messages = new ArrayList<>();
  private int[] slots = new int[FIRST_SLOTS];
  private int size;

  /** Returns the number of ids. */
  int size() {
    return size;
  }

  /** Returns the number of an id; -1 if it is not in the table. */
  int find(long high, long low) {
    for (int slot = slotOf(low); slots[slot] != 0; slot = (slot + 1) & (slots.length - 1)) {
      int number = slots[slot] - 1;
      if (value(lows, number) == low && value(highs, number) == high) {
        return number;
      }
    }
    return -1;
  }

  /** Adds an id that is not in the table. Returns its number. */
  int add(long high, long low) {
    if (size == MOST) {
      throw new IllegalStateException("more than " + MOST + " different ids: audit a part");
    }
    if (size >= slots.length / 10 * 6) {
      grow();
    }
    if ((size & (CHUNK - 1)) == 0) {
      highs.add(new long[CHUNK]);
      lows.add(new long[CHUNK]);
      payloads.add(new long[CHUNK]);
      headers.add(new long[CHUNK]);
      flags.add(new byte[CHUNK]);
      messages.add(new int[CHUNK]);
    }
    int number = size++;
    set(highs, number, high);
    set(lows, number, low);
    index(number, low);
    return number;
  }

  private int slotOf(long low) {
    return (int) (low ^ (low >>> 32)) & (slots.length - 1);
  }

  private void index(int number, long low) {
    int slot = slotOf(low);
    while (slots[slot] != 0) {
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = number + 1;
  }

  private void grow() {
    slots = new int[Math.multiplyExact(slots.length, 2)];
    for (int number = 0; number < size; number++) {
      index(number, value(lows, number));
    }
  }

  /** Returns the fingerprint of the id's payload. */
  long payload(int number) {
    return value(payloads, number);
  }

  void payload(int number, long fingerprint) {
    set(payloads, number, fingerprint);
  }

  /** Returns the digest of the headers of the id's first message with its payload. */
  long headers(int number) {
    return value(headers, number);
  }

  void headers(int number, long digest) {
    set(headers, number, digest);
  }

  /** Returns the caller's flags of an id, 0 at first. */
  byte flags(int number) {
    return flags.get(number >>> CHUNK_BITS)[number & (CHUNK - 1)];
  }

  void flags(int number, int value) {
    flags.get(number >>> CHUNK_BITS)[number & (CHUNK - 1)] = (byte) value;
  }

  /** Counts a message of an id. Returns how many it has now. */
  int count(int number) {
    return ++messages.get(number >>> CHUNK_BITS)[number & (CHUNK - 1)];
  }

  private static long value(List<long[]> chunks, int number) {
    return chunks.get(number >>> CHUNK_BITS)[number & (CHUNK - 1)];
  }

  private static void set(List<long[]> chunks, int number, long value) {
    chunks.get(number >>> CHUNK_BITS)[number & (CHUNK - 1)] = value;
  }
}
