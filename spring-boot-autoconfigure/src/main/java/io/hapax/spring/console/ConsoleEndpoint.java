package io.hapax.spring.console;

import io.hapax.spring.listener.Receivers;
import java.util.List;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/** Gives the console its path, exposure and security. {@link ConsoleMapping} serves the pages. */
@WebEndpoint(id = ConsoleEndpoint.ID)
public final class ConsoleEndpoint {

  /** The id of the endpoint, which is also its path below the base path of the Actuator. */
  public static final String ID = "hapaxconsole";

  private final Receivers receivers;

  public ConsoleEndpoint(Receivers receivers) {
    this.receivers = receivers;
  }

  @ReadOperation
  public List<String> consumers() {
    return receivers.consumers();
  }
}
