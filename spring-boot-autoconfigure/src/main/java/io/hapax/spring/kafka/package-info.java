/** Idempotent listeners of Spring Kafka. */
@NullMarked
package io.hapax.spring.kafka;

import org.jspecify.annotations.NullMarked;
