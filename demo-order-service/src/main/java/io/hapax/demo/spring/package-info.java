/** The order service as an application of Spring Boot, with a listener on either broker. */
@NullMarked
package io.hapax.demo.spring;

import org.jspecify.annotations.NullMarked;
