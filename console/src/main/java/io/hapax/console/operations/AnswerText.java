package io.hapax.console.operations;

import io.hapax.console.page.Formats;
import io.hapax.console.page.Texts;
import io.hapax.operations.lookup.MessageAnswer;
import io.hapax.operations.lookup.MessageEvent;
import java.util.ArrayList;
import java.util.List;

/** Writes the answer about a message in the language of a user, without escapes for HTML. */
public final class AnswerText {

  private AnswerText() {}

  /** {@return the sentence that says what happened, and whether anything has to be done} */
  public static String sentence(Texts texts, MessageAnswer answer) {
    return texts.get(
        "message." + answer.verdict().name(),
        answer.at().map(Formats::time).orElse("–"),
        Formats.brief(answer.where()),
        Formats.brief(answer.who()));
  }

  /** {@return the event in one line, after its time and its source} */
  public static String of(Texts texts, MessageEvent event) {
    String name = event.source() == MessageEvent.Source.ACTION_LOG
        ? Formats.named(texts, "action", event.kind())
        : Formats.named(texts, "event", event.kind());
    List<String> parts = new ArrayList<>();
    if (event.attempts() > 0) {
      parts.add(texts.get("event.attempts", event.attempts()));
    }
    parts.add(Formats.visible(event.place()));
    parts.add(Formats.visible(event.who()));
    parts.add(Formats.visible(texts.get(event.detail())));
    parts.removeIf(String::isEmpty);
    return parts.isEmpty()
        ? name
        : name + texts.get("verdict.colon") + String.join(texts.get("verdict.comma"), parts);
  }
}
