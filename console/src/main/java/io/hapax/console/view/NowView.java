package io.hapax.console.view;

import java.time.Instant;
import java.util.List;

/**
 * The view of the current state.
 *
 * @param standalone whether the console runs outside of the application and shows figures of the
 *     store and the broker only
 */
public record NowView(
    Instant at,
    boolean standalone,
    List<Figure> figures,
    List<Curve> curves,
    List<ProblemRow> problems) {}
