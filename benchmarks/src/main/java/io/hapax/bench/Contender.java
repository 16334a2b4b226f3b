package io.hapax.bench;

import io.hapax.mark.ClaimRequest;
import java.util.List;
import java.util.function.Supplier;

/**
 * One thing that is measured.
 *
 * @param operation the measured operation
 * @param role the performer of the operation
 * @param batch messages of one call
 * @param tasks creates the task of a thread
 */
record Contender(Operation operation, Role role, int batch, Supplier<Task> tasks) {

  /** Returns a contender whose tasks have no state of their own. */
  static Contender of(
      Operation operation,
      Role role,
      int batch,
      Supplier<List<ClaimRequest>> source,
      Task.Batched batched) {
    return new Contender(operation, role, batch, () -> Task.of(source, batched));
  }
}
