package io.hapax.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The properties of executors.
 *
 * @param name the name to which the marks of jobs belong; those of requests belong to the same with
 *     {@code -http} behind it. The same for all instances of the application, and no other
 *     application and no consumer may have it. The default is spring.application.name
 */
@ConfigurationProperties("hapax.executor")
record ExecutorProperties(@Nullable String name) {}
