package io.hapax.console.view;

import java.time.Instant;
import java.util.List;

/**
 * The view of the current state.
 *
 * @param at the time of the reading
 * @param standalone whether the console runs outside of the application and shows figures of the
 *     store and the broker only
 * @param figures the current figures
 * @param curves the figures over time
 * @param problems the problems
 */
public record NowView(
    Instant at,
    boolean standalone,
    List<Figure> figures,
    List<Curve> curves,
    List<ProblemRow> problems) {}
