package io.hapax.console.view;

import java.util.List;

/**
 * The data of every page.
 *
 * @param language {@code en} or {@code zh}
 * @param base the path before every address of the console; empty, or begins with a slash and does
 *     not end with one
 * @param address the path and query of this page without the base, for the change of language
 * @param views the views of the navigation
 * @param active the view
 * @param consumer the name of the consumer
 * @param user the name of the signed-in user
 * @param writable whether the user may run actions
 * @param signsOut whether there is a session that can be ended
 * @param csrf the token that each form sends in its field {@code csrf}
 * @param version the version of Hapax
 * @param notices the messages, shown at the top
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
    List<Notice> notices) {}
