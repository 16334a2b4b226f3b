/** The operations of an operator on Kafka. */
@NullMarked
package io.hapax.console.kafka;

import org.jspecify.annotations.NullMarked;
