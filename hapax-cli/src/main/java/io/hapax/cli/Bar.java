package io.hapax.cli;

import io.hapax.audit.AuditProgress;
import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows how far an audit is, on a terminal; nothing elsewhere. */
final class Bar implements AuditProgress, AutoCloseable {

  private static final int UPDATE_MILLIS = 200;
  private static final int WIDEST = 78;
  private static final int NARROWEST = 40;

  private final PrintStream out;
  private final int width;
  private @Nullable ProgressBar bar;

  /**
   * A bar.
   *
   * @param columns how wide the terminal is; 0 if there is none
   */
  Bar(PrintStream out, int columns) {
    this.out = out;
    this.width = columns < NARROWEST ? 0 : Math.min(WIDEST, columns - 1);
  }

  /** On the standard error, so that the report can be piped. */
  static Bar onStandardError() {
    return new Bar(System.err, Integer.getInteger("hapax.columns", 0));
  }

  @Override
  public void at(long done, long all) {
    if (width == 0) {
      return;
    }
    if (bar == null) {
      bar = new ProgressBarBuilder()
          .setTaskName("audit")
          .setInitialMax(all)
          .setUpdateIntervalMillis(UPDATE_MILLIS)
          .setConsumer(new ConsoleProgressBarConsumer(out, width))
          .setStyle(ProgressBarStyle.ASCII)
          .build();
    }
    bar.stepTo(done);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
