package io.hapax.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A consumer process of the live demo.
 *
 * @param process the process
 * @param requests the number of the latest request to hold a batch
 */
record LiveConsumer(ConsumerProcess process, AtomicLong requests) implements LiveProcess {

  LiveConsumer(ConsumerProcess process) {
    this(process, new AtomicLong());
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public boolean isReady() {
    return process.reports().ready();
  }

  @Override
  public LiveCounts counts() {
    ReportReader reports = process.reports();
    return new LiveCounts(
        reports.count(Reports.Ending.EXECUTED),
        reports.count(Reports.Ending.DUPLICATE),
        reports.count(Reports.Ending.DEFERRED),
        reports.recoveries().size());
  }

  @Override
  public boolean hold(Beforehand beforehand, Duration atMost) throws Exception {
    long request = requests.incrementAndGet();
    process.slowDown(request, true);
    beforehand.run();
    return process.reports().awaitPaused(request, atMost.toMillis());
  }

  @Override
  public void release() throws IOException {
    process.release();
  }

  @Override
  public void freeze() throws IOException, InterruptedException {
    process.pause();
  }

  @Override
  public void thaw() throws IOException, InterruptedException {
    process.resume();
  }

  @Override
  public void kill() throws InterruptedException {
    process.kill();
  }

  @Override
  public void stop() throws IOException, InterruptedException {
    process.stop();
  }
}
