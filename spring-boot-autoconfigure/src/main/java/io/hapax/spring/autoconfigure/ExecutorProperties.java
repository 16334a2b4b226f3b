package io.hapax.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The properties of executors.
 *
 * @param name the start of the name to which the marks belong: those of jobs with {@code -jobs}
 *     behind it, those of requests with {@code -http}. The same for all instances of the
 *     application, and no other application may have it. The default is spring.application.name
 */
@ConfigurationProperties("hapax.executor")
record ExecutorProperties(@Nullable String name) {}
