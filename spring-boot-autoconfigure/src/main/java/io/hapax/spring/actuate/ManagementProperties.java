package io.hapax.spring.actuate;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the Actuator may do with Hapax.
 *
 * @param writes whether the endpoint hapax may change marks. Protect it before you allow that
 * @param readiness whether a problem of a receiver makes the application not ready
 */
@ConfigurationProperties("hapax.management")
public record ManagementProperties(
    @DefaultValue("false") boolean writes,
    @DefaultValue("true") boolean readiness) {}
