/** Tests of the faults. */
@NullMarked
package io.hapax.testkit.fault;

import org.jspecify.annotations.NullMarked;
