package io.hapax.bench;

import java.util.function.Supplier;

/**
 * One thing that is measured.
 *
 * @param operation the measured operation
 * @param role the performer of the operation
 * @param batch messages of one call
 * @param tasks creates the task of a thread
 */
record Contender(Operation operation, Role role, int batch, Supplier<Task> tasks) {}
