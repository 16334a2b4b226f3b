@NullMarked
package io.hapax.spring.kafka;

import org.jspecify.annotations.NullMarked;
