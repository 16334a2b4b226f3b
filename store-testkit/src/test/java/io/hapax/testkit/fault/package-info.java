/** Tests of the fault proxy. */
@NullMarked
package io.hapax.testkit.fault;

import org.jspecify.annotations.NullMarked;
