package io.hapax.operations.audit;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Verdict;
import io.hapax.operations.MarkFixture;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;

/** A store with marks in it, and audits of messages against it. */
@Timeout(60)
abstract class AuditFixture extends MarkFixture {

  static final AuditSettings<Message> SETTINGS =
      AuditSettings.of("orders", AuditFixture::idOf, AuditFixture::payload);

  private static final ReadingAudit.Fields<Message> FIELDS =
      new ReadingAudit.Fields<>(AuditFixture::header, message -> Text.NONE, message -> 0);

  record Message(String id, String payload, String header) {

    Message(String id, String payload) {
      this(id, payload, "");
    }
  }

  static Fingerprint header(Message message) {
    return Fingerprint.of(message.header().getBytes(StandardCharsets.UTF_8));
  }

  static Optional<Bytes> idOf(Message message) {
    return message.id().isEmpty() ? Optional.empty() : Optional.of(Bytes.utf8(message.id()));
  }

  static Fingerprint payload(Message message) {
    return Fingerprint.of(message.payload().getBytes(StandardCharsets.UTF_8));
  }

  static Message message(String id) {
    return new Message(id, "payload of " + id);
  }

  Claim claim(Message message) {
    return claim(message, payload(message));
  }

  Claim claim(Message message, Fingerprint fingerprint) {
    return claim(message.id(), fingerprint);
  }

  void done(Message message) {
    settle(claim(message), Verdict.Done.WITHOUT_RESULT);
  }

  AuditReport audit(Message... messages) throws InterruptedException {
    return audit(SETTINGS, List.of(messages));
  }

  AuditReport audit(AuditSettings<Message> settings, List<Message> messages)
      throws InterruptedException {
    return audit(settings, messages, 1_000);
  }

  /** Audits with look-ups of {@code batch} marks at a time. */
  AuditReport audit(AuditSettings<Message> settings, List<Message> messages, int batch)
      throws InterruptedException {
    try (Auditor<Message> auditor = new Auditor<>(store, settings, FIELDS, batch)) {
      for (int i = 0; i < messages.size(); i++) {
        auditor.add(messages.get(i), "orders-0@" + i);
      }
      return auditor.finish(List.of(new ScannedRange("orders-0", 0, messages.size())));
    }
  }

  static AuditSample sample(AuditReport report, Finding finding) {
    return report.samples().stream()
        .filter(it -> it.finding() == finding)
        .findFirst()
        .orElseThrow();
  }
}
