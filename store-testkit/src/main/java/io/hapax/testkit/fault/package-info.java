/** A proxy that simulates network faults, for tests of stores and adapters. */
@NullMarked
package io.hapax.testkit.fault;

import org.jspecify.annotations.NullMarked;
