package io.hapax.spring.actuate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the Actuator may do with Hapax.
 *
 * @param readiness whether a problem of a receiver makes the application not ready
 * @param countStaleMarks whether this process counts stale marks for the meters. The default is
 *     true for Redis and false for a database, where each count scans the index of all marks
 */
@ConfigurationProperties("hapax.management")
public record ManagementProperties(
    @DefaultValue("true") boolean readiness, @Nullable Boolean countStaleMarks) {}
