package io.hapax.operations.internal;

import io.hapax.operations.text.Text;
import java.util.List;

/** Makes the lines of reports for people. */
public final class ReportText {

  private ReportText() {}

  /** Returns a line with a name and a count. */
  public static Text line(String name, long count) {
    return Text.of("report.count", Text.of(name), count);
  }

  /** Returns a line with a name, a count and a remark. */
  public static Text line(String name, long count, Text remark) {
    return Text.of("report.line", Text.of(name), count, remark);
  }

  /** Returns the line of one message, with the rest of the sentence; the id may be empty. */
  public static Text sample(Text kind, String id, String coordinates, List<Text> more) {
    return Text.of(
        id.isEmpty() ? "sample.no-id" : "sample", kind, coordinates, Text.joined(more), id);
  }
}
