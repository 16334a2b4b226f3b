package io.hapax.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.operations.TestBroker.Sent;
import io.hapax.operations.redrive.DeadLetterSelection;
import io.hapax.operations.redrive.RedriveReport;
import io.hapax.operations.redrive.RedriveSample;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A topic of two parts on a real broker, the marks of its consumer, and a stopped group. */
@Timeout(120)
public abstract class OperationsFixture {

  protected static final Duration BOUND = Duration.ofSeconds(60);
  protected static final Duration LEASE = Duration.ofMinutes(1);

  private volatile Duration skew = Duration.ZERO;
  protected final InMemoryDedupStore store =
      new InMemoryDedupStore(() -> Instant.now().plus(skew), Duration.ofDays(8));
  protected final List<String> effects = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> opened = new ArrayList<>();
  protected final TestBroker broker;
  protected final String topic;
  private long nonces;

  protected OperationsFixture(TestBroker broker) {
    this.broker = broker;
    this.topic = broker.topic(2);
  }

  @AfterEach
  void closeAll() throws Exception {
    Collections.reverse(opened);
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  protected <A extends AutoCloseable> A open(A one) {
    opened.add(one);
    return one;
  }

  /** Runs the service until the test ends. */
  protected AutoCloseable serve(String group) throws Exception {
    return open(broker.service(topic, group, store, effects::add));
  }

  protected Claim claim(String id, String coordinates) {
    ClaimRequest request = new ClaimRequest(
        MessageKey.of("orders", id),
        new Nonce(7, ++nonces),
        Fingerprint.NONE,
        new Origin("somebody", coordinates),
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
    return ((Acquired) store.claim(List.of(request), LEASE).get(0)).claim();
  }

  protected void settle(String id, Verdict verdict) {
    store.settle(List.of(new Settlement(claim(id, ""), verdict)));
  }

  protected void done(String... ids) {
    for (String id : ids) {
      settle(id, Verdict.Done.WITHOUT_RESULT);
    }
  }

  /** Claims the message as a consumer that vanished a while ago. */
  protected void vanishedWith(String id, String coordinates) {
    var unused = claim(id, coordinates);
    skew = skew.plus(LEASE).plusSeconds(1);
  }

  protected Mark mark(String id) {
    return store.find(List.of(MessageKey.of("orders", id))).get(0).orElseThrow();
  }

  /** Returns where the first message of a part lies. */
  protected String first(int part) {
    return broker.place(topic, part) + "@0";
  }

  /** Buries a message of the topic whose mark is dead, as its consumer does. */
  protected void bury(String letters, Sent message, int part) throws Exception {
    settle(message.id(), new Verdict.Dead("no such item"));
    buryUnmarked(letters, message, part);
  }

  protected void buryUnmarked(String letters, Sent message, int part) throws Exception {
    broker.bury(letters, letter(message, first(part)), topic, Map.of());
  }

  protected static DeadLetter<Sent> letter(Sent message, String coordinates) {
    return new DeadLetter<>(
        message,
        "orders",
        message.id(),
        coordinates,
        3,
        DeadLetter.Kind.NOT_RETRYABLE,
        "no such item",
        false);
  }

  /** Connects until the test ends. */
  protected Redriver redriver() {
    return open(broker.operations().redriver(store));
  }

  /** Redrives all records of a dead-letter topic. */
  protected static RedriveReport redrive(
      Redriver redriver, String letters, RedriveSettings settings) throws InterruptedException {
    return redriver.redrive(
        TopicPart.all(letters), StartingPoint.beginning(), DeadLetterSelection.all(), settings);
  }

  /** Returns what a redrive answers, which its plan has said before. */
  protected List<String> answers(String letters, RedriveSettings settings)
      throws InterruptedException {
    RedriveReport plan = redriver()
        .plan(
            TopicPart.all(letters), StartingPoint.beginning(), DeadLetterSelection.all(), settings);
    RedriveReport report = redrive(redriver(), letters, settings);
    assertThat(report.samples())
        .extracting(RedriveSample::answer)
        .isEqualTo(plan.samples().stream().map(RedriveSample::answer).toList());
    return report.samples().stream()
        .map(sample -> sample.answer().why().toString())
        .toList();
  }
}
