package io.hapax.demo;

import java.io.PrintStream;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows how far a run is: a bar on a terminal, a line for each step elsewhere. */
final class Progress implements AutoCloseable {

  private static final int UPDATE_MILLIS = 200;
  private static final int WIDTH = 78;

  private final PrintStream out;
  private final boolean terminal;
  private @Nullable ProgressBar bar;

  Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** On the standard error, so that the table can be piped. */
  static Progress onStandardError() {
    return new Progress(System.err, Boolean.getBoolean("demo.terminal"));
  }

  /** A step that takes no time worth showing. */
  void step(String text) {
    if (terminal && bar != null) {
      out.print("\r\u001b[K");
    }
    out.println("  " + text);
  }

  /** A part of so many messages begins. */
  void begin(String name, int messages) {
    if (terminal) {
      bar = new ProgressBarBuilder()
          .setTaskName(name)
          .setInitialMax(messages)
          .setUpdateIntervalMillis(UPDATE_MILLIS)
          .setMaxRenderedLength(WIDTH)
          .setStyle(ProgressBarStyle.ASCII)
          .build();
    } else {
      step(name + ": " + messages + " messages");
    }
  }

  void at(int messages) {
    if (bar != null) {
      bar.stepTo(messages);
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
    }
  }
}
