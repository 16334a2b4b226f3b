@NullMarked
package io.hapax.spring;

import org.jspecify.annotations.NullMarked;
