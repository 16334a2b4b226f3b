@NullMarked
package io.hapax.spring.actuate;

import org.jspecify.annotations.NullMarked;
