/**
 * What the adapter shares with the operations of operators and with listeners of Spring. Not API:
 * it may change at any time.
 */
@NullMarked
package io.hapax.kafka.internal;

import org.jspecify.annotations.NullMarked;
