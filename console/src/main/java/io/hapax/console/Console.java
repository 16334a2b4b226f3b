package io.hapax.console;

import io.hapax.console.action.ActionLog;
import io.hapax.console.figures.Figures;
import io.hapax.console.figures.GroupFigures;
import io.hapax.console.http.Request;
import io.hapax.console.http.Response;
import io.hapax.console.operations.Deployment;
import io.hapax.console.site.Sites;
import io.hapax.console.trial.Trial;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The web console without a server: answers each request with a page. Starts threads for jobs only.
 * Thread-safe.
 */
public final class Console implements AutoCloseable {

  private final Sites sites;

  private Console(Sites sites) {
    this.sites = sites;
  }

  /**
   * Opens a console outside of the application. Its figures come from the store and the broker.
   *
   * @param settings the settings of the console
   * @param deployment the consumer; its store and broker stay open when the console is closed
   * @return the console; the caller closes it
   * @throws IOException if the action log cannot be written
   */
  public static Console open(ConsoleSettings settings, Deployment deployment) throws IOException {
    InstantSource clock = InstantSource.system();
    return open(settings, deployment, GroupFigures.of(deployment, clock), Optional.empty(), clock);
  }

  /**
   * Opens a console within the application.
   *
   * @param settings the settings of the console
   * @param deployment the consumer; its store and broker stay open when the console is closed
   * @param figures the source of the figures; closed with the console
   * @return the console; the caller closes it
   * @throws IOException if the action log cannot be written
   */
  public static Console open(ConsoleSettings settings, Deployment deployment, Figures figures)
      throws IOException {
    return open(settings, deployment, figures, Optional.empty(), InstantSource.system());
  }

  /**
   * Opens a console of a demo, with the view "Break it". An address with the token signs in, so
   * serve it on a loopback address only.
   *
   * @param settings the settings of the console; without an action log the view has no buttons
   * @param deployment the consumer; its store and broker stay open when the console is closed
   * @param figures the source of the figures; closed with the console
   * @param trial the demo; stays open when the console is closed
   * @return the console; the caller closes it
   * @throws IOException if the action log cannot be written
   */
  public static Console open(
      ConsoleSettings settings, Deployment deployment, Figures figures, Trial trial)
      throws IOException {
    return open(settings, deployment, figures, Optional.of(trial), InstantSource.system());
  }

  static Console open(
      ConsoleSettings settings,
      Deployment deployment,
      Figures figures,
      Optional<Trial> trial,
      InstantSource clock)
      throws IOException {
    Optional<ActionLog> log = settings.actionLog().isPresent()
        ? Optional.of(ActionLog.at(settings.actionLog().get()))
        : Optional.empty();
    String version = Optional.ofNullable(Console.class.getPackage().getImplementationVersion())
        .orElse("dev");
    Sites.Rules rules = new Sites.Rules(
        settings.base(),
        settings.token(),
        log,
        settings.payloads(),
        settings.hosts(),
        settings.secure(),
        version);
    return new Console(new Sites(rules, deployment, figures, trial, clock));
  }

  /**
   * Handles a request.
   *
   * @param request the request
   * @return the response; a failure is a page, not an exception
   */
  public Response answer(Request request) {
    return sites.answer(request);
  }

  /** Stops the jobs and the event streams. */
  @Override
  public void close() {
    sites.close();
  }
}
