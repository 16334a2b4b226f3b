/** The operations on Kafka. */
@NullMarked
package io.hapax.operations.kafka;

import org.jspecify.annotations.NullMarked;
