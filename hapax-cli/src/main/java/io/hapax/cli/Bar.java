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
  private Bar(PrintStream out, int columns) {
    this.out = out;
    this.width = columns < NARROWEST ? 0 : Math.min(WIDEST, columns - 1);
  }

  /**
   * What is shown while it runs.
   *
   * @param <T> what comes of it
   * @param <X> what goes wrong
   */
  interface Scan<T, X extends Exception> {
    T with(AuditProgress progress) throws X;
  }

  /** Runs a scan with a bar of its own, on the standard error, so that reports can be piped. */
  static <T, X extends Exception> T shown(Scan<T, X> scan) throws X {
    return shown(System.err, Integer.getInteger("hapax.columns", 0), scan);
  }

  static <T, X extends Exception> T shown(PrintStream out, int columns, Scan<T, X> scan) throws X {
    try (Bar bar = new Bar(out, columns)) {
      return scan.with(bar);
    }
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
          .setConsumer(new UnendedLine(out, width))
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
