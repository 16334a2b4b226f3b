package io.hapax.console.view;

import java.util.List;
import java.util.Optional;

/**
 * The data of every page.
 *
 * @param language {@code en} or {@code zh}
 * @param base the path before every address of the console; empty, or begins with a slash and does
 *     not end with one
 * @param address the path and query of this page without the base, for the change of language
 * @param id the id that is looked up; empty on other pages
 * @param signsOut whether there is a session that can be ended
 * @param now the current state; empty before the sign-in
 */
public record Page(
    String language,
    String base,
    String address,
    List<View> views,
    View active,
    String consumer,
    String user,
    boolean writable,
    boolean signsOut,
    String csrf,
    String version,
    String id,
    Optional<NowView> now) {}
