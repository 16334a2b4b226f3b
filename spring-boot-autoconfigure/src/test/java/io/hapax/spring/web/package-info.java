@NullMarked
package io.hapax.spring.web;

import org.jspecify.annotations.NullMarked;
