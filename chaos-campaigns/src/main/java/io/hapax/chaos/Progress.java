package io.hapax.chaos;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a run. On a terminal it draws a bar below the finished steps. Elsewhere it
 * prints one line for each step, without control characters.
 */
final class Progress implements AutoCloseable {

  private static final int UPDATE_MILLIS = 200;
  private static final int WIDEST = 78;
  private static final int NARROWEST = 40;
  private static final String ERASE_LINE = "\r\u001b[K";

  private final PrintStream out;
  private final int width;
  private @Nullable ProgressBar bar;

  /**
   * Creates a display.
   *
   * @param columns the width of the terminal; 0 without a terminal
   */
  Progress(PrintStream out, int columns) {
    this.out = out;
    this.width = columns < NARROWEST ? 0 : Math.min(WIDEST, columns - 1);
  }

  /** Creates a display on the standard error, so that the table can be piped. */
  static Progress onStandardError() {
    return new Progress(System.err, Integer.getInteger("demo.columns", 0));
  }

  /** Prints a step that takes no visible time. */
  void step(String text) {
    // One write, so that the bar's own thread cannot draw in between. The bar is drawn again below.
    out.print((bar == null ? "" : ERASE_LINE) + "  " + text + System.lineSeparator());
    if (bar != null) {
      bar.refresh();
    }
  }

  /** Starts a part with this number of messages. */
  void begin(String name, int messages) {
    if (width == 0) {
      step(name + ": " + messages + " messages");
      return;
    }
    bar = new ProgressBarBuilder()
        .setTaskName("  " + name)
        .setInitialMax(messages)
        .setUpdateIntervalMillis(UPDATE_MILLIS)
        .setConsumer(new UnendedLine(out, width))
        .setStyle(ProgressBarStyle.ASCII)
        .hideEta()
        .build();
  }

  /** Shows that this number of messages have an outcome. A redelivery may exceed the total. */
  void at(int messages) {
    if (bar != null) {
      bar.stepTo(Math.min(messages, bar.getMax()));
    }
  }

  /** Ends the part. */
  void end() {
    if (bar != null) {
      bar.stepTo(bar.getMax());
    }
    close();
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
      out.println();
    }
  }

  /** Suppresses the line end of a bar that is closed before it was drawn. */
  private static final class UnendedLine extends ConsoleProgressBarConsumer {

    UnendedLine(PrintStream out, int width) {
      super(out, width);
    }

    @Override
    public void close() {}
  }
}
