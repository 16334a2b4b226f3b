/** Runs the order service under faults, and proves from its ledger what took effect. */
@NullMarked
package io.hapax.chaos;

import org.jspecify.annotations.NullMarked;
