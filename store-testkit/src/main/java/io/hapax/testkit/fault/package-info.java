/**
 * Faults of the way to a server, put in on purpose: what stores and adapters are tested through.
 */
@NullMarked
package io.hapax.testkit.fault;

import org.jspecify.annotations.NullMarked;
