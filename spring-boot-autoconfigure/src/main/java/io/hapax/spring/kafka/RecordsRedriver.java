package io.hapax.spring.kafka;

import io.hapax.operations.redrive.DeadLetterSelection;
import io.hapax.operations.redrive.RedriveReport;
import io.hapax.operations.redrive.RedriveResult;
import io.hapax.operations.redrive.RedriveSettings;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;

/**
 * A redriver that closes its deserializers, too.
 *
 * @param redriver uses the deserializers
 * @param records the deserializers
 */
record RecordsRedriver(Redriver redriver, StoredRecords records) implements Redriver {

  @Override
  public RedriveReport plan(
      TopicPart letters, StartingPoint from, DeadLetterSelection which, RedriveSettings rules)
      throws InterruptedException {
    return redriver.plan(letters, from, which, rules);
  }

  @Override
  public RedriveReport redrive(
      TopicPart letters, StartingPoint from, DeadLetterSelection which, RedriveSettings rules)
      throws InterruptedException {
    return redriver.redrive(letters, from, which, rules);
  }

  @Override
  public RedriveResult plan(String id) throws InterruptedException {
    return redriver.plan(id);
  }

  @Override
  public RedriveResult redeliver(String id) throws InterruptedException {
    return redriver.redeliver(id);
  }

  @Override
  public RedriveResult deadLetter(String id, String topic) throws InterruptedException {
    return redriver.deadLetter(id, topic);
  }

  @Override
  public void close() {
    redriver.close();
    records.close();
  }
}
