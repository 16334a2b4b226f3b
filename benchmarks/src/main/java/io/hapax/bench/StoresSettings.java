package io.hapax.bench;

import java.util.List;

/**
 * The settings of a run.
 *
 * @param stores the stores
 * @param batches messages of one call
 * @param threads numbers of threads
 * @param marks numbers of marks before the measurement
 * @param pace the length of a measurement
 * @param profile whether the store is sampled afterwards
 */
record StoresSettings(
    List<StoreKind> stores,
    List<Integer> batches,
    List<Integer> threads,
    List<Long> marks,
    Pace pace,
    boolean profile) {

  private static final int MOST_AT_ONCE = 5000;
  private static final int MOST_THREADS = 32;
  private static final long MOST_MARKS = 100_000_000;

  StoresSettings {
    batches.forEach(batch -> between("--batch", batch, 1, MOST_AT_ONCE));
    threads.forEach(number -> between("--threads", number, 1, MOST_THREADS));
    marks.forEach(number -> between("--marks", number, 0, MOST_MARKS));
    between("--rounds", pace.rounds(), 1, 1000);
    between("--round-millis", pace.millis(), 1, 60_000);
    stores = distinct(stores);
    batches = distinct(batches);
    threads = distinct(threads);
    marks = distinct(marks);
  }

  private static <T extends Comparable<T>> List<T> distinct(List<T> values) {
    return values.stream().distinct().sorted().toList();
  }

  static void between(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + " is " + value + " but must be between " + least + " and " + most);
    }
  }
}
