package io.hapax.demo;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows how far a run is: a bar on a terminal, under the steps so far; elsewhere a line for each
 * step and no control character.
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
   * A display.
   *
   * @param columns how wide the terminal is; 0 if there is none
   */
  Progress(PrintStream out, int columns) {
    this.out = out;
    this.width = columns < NARROWEST ? 0 : Math.min(WIDEST, columns - 1);
  }

  /** On the standard error, so that the table can be piped. */
  static Progress onStandardError() {
    return new Progress(System.err, Integer.getInteger("demo.columns", 0));
  }

  /** A step that takes no time worth showing. */
  void step(String text) {
    // One write, lest the bar's own thread comes in between; it draws the bar again below.
    out.print((bar == null ? "" : ERASE_LINE) + "  " + text + System.lineSeparator());
    if (bar != null) {
      bar.refresh();
    }
  }

  /** A part of so many messages begins. */
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

  /** So many messages of the part have their outcome. A redelivery may add to them. */
  void at(int messages) {
    if (bar != null) {
      bar.stepTo(Math.min(messages, bar.getMax()));
    }
  }

  /** The part is at its end. */
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

  /** The bar does not end its line when it is closed before it was drawn once; so it never does. */
  private static final class UnendedLine extends ConsoleProgressBarConsumer {

    UnendedLine(PrintStream out, int width) {
      super(out, width);
    }

    @Override
    public void close() {}
  }
}
