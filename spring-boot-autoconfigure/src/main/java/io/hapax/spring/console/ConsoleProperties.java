package io.hapax.spring.console;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The console within the application.
 *
 * @param enabled whether the application serves the console at the endpoint hapaxconsole
 * @param allowWrites whether users with the role may change something
 * @param role the role of users who may change something
 * @param actionLog the file to which each action is appended; {consumer} means the name of the
 *     consumer
 */
@ConfigurationProperties("hapax.console")
public record ConsoleProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("false") boolean allowWrites,
    @Nullable String role,
    @Nullable String actionLog) {

  static final String CONSUMER = "{consumer}";

  public ConsoleProperties {
    if (allowWrites && (role == null || role.isBlank())) {
      throw new IllegalArgumentException("hapax.console.role is " + role
          + " but must be set if hapax.console.allow-writes is true");
    }
    if (allowWrites && actionLog == null) {
      throw new IllegalArgumentException("hapax.console.action-log is not set but must be set if"
          + " hapax.console.allow-writes is true");
    }
    if (actionLog != null && !actionLog.contains(CONSUMER)) {
      throw new IllegalArgumentException(
          "hapax.console.action-log is " + actionLog + " but must contain " + CONSUMER);
    }
  }
}
