package io.hapax.bench;

import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalKafka;
import io.hapax.store.DedupStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A topic of records whose keys are their ids, with DONE marks for all of them.
 *
 * @param name its name
 * @param records the number of records
 */
record AuditTopic(String name, long records) {

  static final String CONSUMER = "audited";

  private static final int PARTITIONS = 4;
  private static final int BATCH = 1_000;
  private static final String PADDING = "x".repeat(70);

  private static byte[] id(long number) {
    return "order-%010d".formatted(number).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns about a hundred bytes, different for each record. */
  private static byte[] value(long number) {
    return ("{\"number\":" + number + ",\"note\":\"" + PADDING + "\"}")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Writes the records. */
  void produce(LocalKafka kafka) throws Exception {
    kafka.createTopic(name, PARTITIONS);
    TopicWriter.write(
        kafka, records, i -> new ProducerRecord<>(name, (int) (i % PARTITIONS), id(i), value(i)));
  }

  /** Writes the marks that a service leaves after it has handled all records. */
  void mark(DedupStore store) {
    for (long first = 0; first < records; first += BATCH) {
      List<ClaimRequest> requests = LongStream.range(first, Math.min(records, first + BATCH))
          .mapToObj(AuditTopic::request)
          .toList();
      store.settle(store.claim(requests, Messages.LEASE).stream()
          .map(Acquired.class::cast)
          .map(it -> new Settlement(it.claim(), Verdict.Done.WITHOUT_RESULT))
          .toList());
    }
  }

  private static ClaimRequest request(long number) {
    return new ClaimRequest(
        MessageKey.of(CONSUMER, Bytes.of(id(number))),
        new Nonce(1, number + 1),
        Fingerprint.of(value(number)),
        Messages.ORIGIN,
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
  }
}
