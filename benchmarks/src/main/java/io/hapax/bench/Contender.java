package io.hapax.bench;

import java.util.function.Supplier;

/**
 * Something that is measured.
 *
 * @param operation what is done
 * @param role who does it
 * @param batch messages at once
 * @param tasks makes what a thread does
 */
record Contender(Operation operation, Role role, int batch, Supplier<Task> tasks) {}
