package io.hapax.demo;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The environment variables of a process. An empty value counts as not set, because many tools pass
 * unset variables that way. An error names the variable, its value and the rule.
 */
record EnvironmentVariables(Map<String, String> variables) {

  private static final int HIGHEST_PORT = 65_535;

  EnvironmentVariables {
    variables = Map.copyOf(variables);
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(variables.get(name))
        .map(String::strip)
        .filter(set -> !set.isEmpty());
  }

  /** Returns a variable that has no default. An error's message has the rule for its value. */
  String required(String name, String rule) {
    return text(name)
        .orElseThrow(() -> new IllegalArgumentException(name + " is not set but must be " + rule));
  }

  <E extends Enum<E>> E choice(String name, E otherwise) {
    E[] choices = otherwise.getDeclaringClass().getEnumConstants();
    return text(name)
        .map(value -> Arrays.stream(choices)
            .filter(choice -> choice.name().equalsIgnoreCase(value))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(name + " is '" + value
                + "' but must be "
                + Arrays.stream(choices)
                    .map(choice -> choice.name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(" or ")))))
        .orElse(otherwise);
  }

  int port(String name, int otherwise) {
    return text(name)
        .map(value -> {
          try {
            int port = Integer.parseInt(value);
            if (port >= 1 && port <= HIGHEST_PORT) {
              return port;
            }
          } catch (NumberFormatException notEvenNumber) {
            // refused below, as any other number
          }
          throw new IllegalArgumentException(
              name + " is '" + value + "' but must be a port between 1 and " + HIGHEST_PORT);
        })
        .orElse(otherwise);
  }
}
