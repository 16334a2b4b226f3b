/** Idempotent requests to controllers of Spring MVC. */
@NullMarked
package io.hapax.spring.web;

import org.jspecify.annotations.NullMarked;
