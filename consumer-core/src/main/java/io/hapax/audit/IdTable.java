package io.hapax.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * The ids that were met so far, each by the 128 bits of its key, in the order in which they were
 * met: 25 bytes for each and 7 to 14 for the index. Nothing that was written is ever moved but the
 * index, so that growing costs little. Keys are digests: their bits are spread as they are.
 */
final class IdTable {

  private static final int CHUNK_BITS = 14;
  private static final int CHUNK = 1 << CHUNK_BITS;
  private static final int FIRST_SLOTS = 1 << 16;
  private static final int MOST = 600_000_000;

  private final List<long[]> highs = new ArrayList<>();
  private final List<long[]> lows = new ArrayList<>();
  private final List<long[]> payloads = new ArrayList<>();
  private final List<byte[]> notes = new ArrayList<>();
  private int[] slots = new int[FIRST_SLOTS];
  private int size;

  /** How many there are. */
  int size() {
    return size;
  }

  /** The number of an id that was met before; -1 if it was not. */
  int find(long high, long low) {
    for (int slot = slotOf(low); slots[slot] != 0; slot = (slot + 1) & (slots.length - 1)) {
      int number = slots[slot] - 1;
      if (value(lows, number) == low && value(highs, number) == high) {
        return number;
      }
    }
    return -1;
  }

  /** Adds an id that is not there yet. Returns its number. */
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
      notes.add(new byte[CHUNK]);
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

  /** The fingerprint of the payload that an id stands for. */
  long payload(int number) {
    return value(payloads, number);
  }

  void payload(int number, long fingerprint) {
    set(payloads, number, fingerprint);
  }

  /** What was noted of an id, 0 at first. */
  byte note(int number) {
    return notes.get(number >>> CHUNK_BITS)[number & (CHUNK - 1)];
  }

  void note(int number, int note) {
    notes.get(number >>> CHUNK_BITS)[number & (CHUNK - 1)] = (byte) note;
  }

  private static long value(List<long[]> chunks, int number) {
    return chunks.get(number >>> CHUNK_BITS)[number & (CHUNK - 1)];
  }

  private static void set(List<long[]> chunks, int number, long value) {
    chunks.get(number >>> CHUNK_BITS)[number & (CHUNK - 1)] = value;
  }
}
