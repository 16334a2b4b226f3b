package io.hapax.cli;

import io.hapax.operations.redrive.RedriveControl;
import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows the progress of a command through a topic on a terminal; prints nothing elsewhere. */
final class Bar implements RedriveControl, AutoCloseable {

  private static final int UPDATE_MILLIS = 200;
  private static final int WIDEST = 78;
  private static final int NARROWEST = 40;

  private final PrintStream out;
  private final int width;
  private @Nullable ProgressBar bar;

  /** Makes a bar as wide as the terminal; without one, columns are 0. */
  private Bar(PrintStream out, int columns) {
    this.out = out;
    this.width = columns < NARROWEST ? 0 : Math.min(WIDEST, columns - 1);
  }

  /** A scan that reports its progress. */
  interface Scan<T, X extends Exception> {
    T with(Bar bar) throws X;
  }

  /** Runs a scan with a bar on the standard error, so that reports can be piped. */
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
          .setTaskName("messages")
          .showSpeed()
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

  /** Suppresses the line end of a bar that is closed before it was drawn. */
  private static final class UnendedLine extends ConsoleProgressBarConsumer {

    UnendedLine(PrintStream out, int width) {
      super(out, width);
    }

    @Override
    public void close() {}
  }
}
