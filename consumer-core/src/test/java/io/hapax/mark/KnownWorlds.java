package io.hapax.mark;

import java.util.Arrays;

/**
 * Every code that was seen, in the order in which it was, and from where it was reached: 28 bytes
 * each and a hash table of four bytes an entry.
 */
final class KnownWorlds {

  private static final int LONGS = WorldCode.LONGS;
  private static final int NOBODY = -1;

  private long[] codes = new long[LONGS << 12];
  private int[] before = new int[1 << 12];
  private int[] table = emptyTable(1 << 14);
  private int size;

  private static int[] emptyTable(int length) {
    int[] table = new int[length];
    Arrays.fill(table, NOBODY);
    return table;
  }

  int size() {
    return size;
  }

  long[] code(int index) {
    return Arrays.copyOfRange(codes, index * LONGS, (index + 1) * LONGS);
  }

  /** The world from which this one was reached first; itself if it is the first. */
  int before(int index) {
    return before[index];
  }

  /** Adds a code that is new. */
  void add(long[] code, int from) {
    int slot = slot(code);
    if (table[slot] != NOBODY) {
      return;
    }
    if (size == before.length) {
      codes = Arrays.copyOf(codes, codes.length * 2);
      before = Arrays.copyOf(before, before.length * 2);
    }
    System.arraycopy(code, 0, codes, size * LONGS, LONGS);
    before[size] = from;
    table[slot] = size++;
    if (size > table.length / 2) {
      grow();
    }
  }

  private int slot(long[] code) {
    int mask = table.length - 1;
    int slot = hash(code) & mask;
    while (table[slot] != NOBODY && !holds(table[slot], code)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean holds(int index, long[] code) {
    int at = index * LONGS;
    return codes[at] == code[0] && codes[at + 1] == code[1] && codes[at + 2] == code[2];
  }

  private void grow() {
    table = emptyTable(table.length * 2);
    for (int i = 0; i < size; i++) {
      table[slot(code(i))] = i;
    }
  }

  private static int hash(long[] code) {
    long mixed = (code[0] * 31 + code[1]) * 31 + code[2];
    mixed = (mixed ^ (mixed >>> 32)) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }
}
