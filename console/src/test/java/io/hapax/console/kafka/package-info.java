/** The local Kafka of tests: what operators ask it for, and its topics. */
@NullMarked
package io.hapax.console.kafka;

import org.jspecify.annotations.NullMarked;
