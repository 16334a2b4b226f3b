package io.hapax.internal.claim;

import io.hapax.LeaseSettings;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.ManualThreads;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.settle.TestSettling;
import io.hapax.internal.store.GenerationWatch;
import io.hapax.internal.store.StoreClock;
import java.util.ArrayList;
import java.util.List;

/** The parts that claim messages, on a store in memory, under a generation that was read. */
public final class TestClaims {

  public final TestSettling settling;
  public final ManualThreads threads;
  public final StoreClock clock;
  public final ClaimRequests requests;
  public final ClaimCall call;
  public final ClaimAnswers<String> answers;
  public final GenerationWatch generation;
  public final Claimer<String> claimer;

  public TestClaims(TestSettings settings) {
    LeaseSettings lease = LeaseSettings.DEFAULT;
    settling = new TestSettling(settings);
    threads = settling.messages.threads;
    clock = new StoreClock(threads);
    requests = new ClaimRequests("here", true, lease, clock);
    call = new ClaimCall(settling.checked, lease, requests, clock, threads);
    answers = new ClaimAnswers<>(
        call, lease.lease(), settling.messages.events, settling.messages.outcomes);
    generation = new GenerationWatch(
        settling.store,
        TestSettings.SCOPE,
        lease.renewInterval(),
        threads.env(),
        settling.messages.events);
    claimer = new Claimer<>(
        requests,
        new ClaimAttempt.Parts<>(
            new ClaimSender<>(answers, threads.env()),
            generation,
            settling.messages.outcomes,
            settling.messages.tasks,
            threads.env()));
    generation.start();
    threads.run();
    settling.store.calls.clear();
  }

  /** Reads messages that hold their ids. */
  public List<InFlightMessage<String>> read(String... texts) {
    List<InFlightMessage<String>> messages = new ArrayList<>();
    for (InFlightMessage<String> message : settling.messages.read(texts)) {
      var unused = settling.messages.ids.register(message.requiredKey(), message);
      messages.add(message);
    }
    return messages;
  }
}
