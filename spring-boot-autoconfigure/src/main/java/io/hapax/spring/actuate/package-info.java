/**
 * What the Actuator shows of Hapax: health, meters, observations and the endpoint {@code hapax}.
 */
@NullMarked
package io.hapax.spring.actuate;

import org.jspecify.annotations.NullMarked;
