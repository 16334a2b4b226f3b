/** The receiver for Kafka. */
@NullMarked
package io.hapax.kafka;

import org.jspecify.annotations.NullMarked;
