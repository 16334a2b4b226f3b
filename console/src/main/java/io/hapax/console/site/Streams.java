package io.hapax.console.site;

import io.hapax.console.figures.History;
import io.hapax.console.http.EventStream;
import io.hapax.console.http.Response;
import io.hapax.console.job.Job;
import io.hapax.console.view.NowView;
import io.hapax.console.view.View;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Sends server-sent events. The number of streams is bounded, because each one occupies a thread of
 * the server.
 */
final class Streams implements AutoCloseable {

  /** The maximum number of concurrent streams. */
  static final int MOST = 24;

  private static final Duration JOB_INTERVAL = Duration.ofMillis(500);

  /** The number of events after which a stream ends. The browser then reconnects. */
  private static final int LONGEST_EVENTS = 600;

  private final Reading reading;
  private final Semaphore free = new Semaphore(MOST);
  private final CountDownLatch closed = new CountDownLatch(1);

  Streams(Reading reading) {
    this.reading = reading;
  }

  /** Streams the figures while the user is signed in. */
  Response now(Visit visit, BooleanSupplier mayGoOn) throws RefusedRequest {
    EventStream figures = sink -> {
      NowView view = reading.history().view();
      sink.event("state", visit.fragment(View.NOW, "parts/verdict", view));
      sink.event("figures", visit.fragment(View.NOW, "now-figures", view));
      sink.event("series", JsonPages.point(view));
    };
    return repeated(figures, History.INTERVAL, mayGoOn);
  }

  /** Sends events again and again while the user is signed in. */
  Response repeated(EventStream events, Duration interval, BooleanSupplier mayGoOn)
      throws RefusedRequest {
    return bounded(sink -> {
      for (int sent = 0; sent < LONGEST_EVENTS && mayGoOn.getAsBoolean(); sent++) {
        events.send(sink);
        if (!mayGoOn.getAsBoolean() || closed.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    });
  }

  /** Streams the progress of a job until it ends. */
  Response job(Visit visit, String id, BooleanSupplier mayGoOn) throws RefusedRequest {
    Job job = reading.job(id);
    return bounded(sink -> {
      boolean ended = false;
      for (int sent = 0;
          sent < LONGEST_EVENTS && !ended && closed.getCount() > 0 && mayGoOn.getAsBoolean();
          sent++) {
        ended = job.endsWithin(sent == 0 ? Duration.ZERO : JOB_INTERVAL);
        sink.event("progress", visit.fragment(View.REPLAY, "job-progress", job.view()));
      }
      if (ended) {
        sink.event("end", job.view().state().name());
      }
    });
  }

  private Response bounded(EventStream events) throws RefusedRequest {
    if (!free.tryAcquire()) {
      throw new RefusedRequest(
          503, "unavailable", "the limit of " + MOST + " open pages with live data is reached");
    }
    return Response.events(sink -> {
      try {
        events.send(sink);
      } finally {
        free.release();
      }
    });
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
