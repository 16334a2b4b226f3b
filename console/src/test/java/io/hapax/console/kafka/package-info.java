/** Orders on a local Kafka, for the tests of the console. */
@NullMarked
package io.hapax.console.kafka;

import org.jspecify.annotations.NullMarked;
