package io.hapax.operations.rocketmq;

import io.hapax.DeadLetter;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.errors.AuditFailedException;
import io.hapax.operations.internal.LetterBroker;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.TopicPart;
import io.hapax.rocketmq.internal.DeadLetterMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.protocol.ResponseCode;

/**
 * Reads dead-letter records, and sends messages again to the topics that they were first sent to.
 */
record RocketMqLetters(QueueReader reader) implements LetterBroker<MessageExt> {

  private static final Pattern COORDINATES = Pattern.compile("(.+)@(\\d{1,18})");

  @Override
  public Letter<MessageExt> letter(MessageExt record) {
    MessageExt message = RevivedMessage.of(record);
    return new Letter<>(
        DeadLetterMetadata.read(name -> Optional.ofNullable(record.getProperty(name))),
        record.getStoreTimestamp(),
        message,
        Optional.of(message.getTopic()).filter(topic -> !topic.isEmpty()),
        RevivedMessage.missing(record));
  }

  @Override
  public String home(MessageExt message) {
    return topic(message);
  }

  @Override
  public Optional<Text> homeless(MessageExt message) throws InterruptedException {
    String topic = topic(message);
    return reader.brokers().knows(topic)
        ? Optional.empty()
        : Optional.of(Text.of("record.topic-gone", topic));
  }

  @Override
  public String topic(MessageExt message) {
    return DeadLetterMessage.sentTo(message);
  }

  @Override
  public void publish(MessageExt message, String coordinates) throws InterruptedException {
    reader.brokers().send(RevivedMessage.again(message), coordinates);
  }

  @Override
  public Optional<List<Place>> places(String coordinates) throws InterruptedException {
    Matcher found = COORDINATES.matcher(coordinates);
    if (!found.matches()) {
      return Optional.empty();
    }
    List<Place> places = new ArrayList<>();
    for (String topic : topics(found.group(1))) {
      String queue = reader.brokers().wireName(found.group(1));
      places.add(new Place(TopicPart.all(topic), queue, Long.parseLong(found.group(2))));
    }
    return Optional.of(places);
  }

  /**
   * Returns the topics that the place may be in: their names, and those of brokers, may hold what
   * parts them.
   */
  private List<String> topics(String place) throws InterruptedException {
    List<String> topics = new ArrayList<>();
    for (int end = place.indexOf('-'); end > 0; end = place.indexOf('-', end + 1)) {
      String topic = place.substring(0, end);
      if (reader.brokers().knows(topic)) {
        topics.add(topic);
      }
    }
    return topics;
  }

  @Override
  public Graveyard<MessageExt> graveyard(String topic) throws InterruptedException {
    if (!reader.brokers().knows(topic)) {
      throw Text.of("letters.unknown", topic).refusal();
    }
    return letter -> bury(letter, topic);
  }

  /** Publishes the whole message, or its head if a broker takes no message of that length. */
  private void bury(DeadLetter<MessageExt> letter, String topic) throws InterruptedException {
    try {
      reader.brokers().send(DeadLetterMessage.of(letter, topic), letter.coordinates());
    } catch (AuditFailedException e) {
      boolean tooLong = e.getCause() instanceof MQBrokerException refused
          && refused.getResponseCode() == ResponseCode.MESSAGE_ILLEGAL;
      if (!tooLong) {
        throw e;
      }
      reader.brokers().send(DeadLetterMessage.withHeadOnly(letter, topic), letter.coordinates());
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
