package io.hapax.rocketmq;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * Which messages of a topic a consumer is delivered. The broker compares the hash codes of tags,
 * and the client then the tags themselves: so does this.
 *
 * @param tags their tags; empty for all messages
 */
record SubscribedTags(Set<String> tags) {

  static final SubscribedTags ALL = new SubscribedTags(Set.of());

  private static final Pattern OR = Pattern.compile("\\|\\|");

  /**
   * Found where no tag is meant: in an expression of SQL92, or between tags. The client would take
   * it for a part of a tag, and an audit that leaves all messages out looks as if all were well.
   */
  private static final Pattern NO_TAG = Pattern.compile("[\\s*|=<>()']");

  /**
   * As the client reads an expression.
   *
   * @throws IllegalArgumentException if it is no expression of tags
   */
  static SubscribedTags of(String expression) {
    String stripped = expression.strip();
    if (stripped.isEmpty() || stripped.equals("*")) {
      return ALL;
    }
    Set<String> tags = OR.splitAsStream(stripped)
        .map(String::strip)
        .filter(tag -> !tag.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
    if (tags.isEmpty() || tags.stream().anyMatch(tag -> NO_TAG.matcher(tag).find())) {
      throw new IllegalArgumentException("tags is " + expression
          + " but must be tags with || between them, as A || B, or *. A tag has no blank and none of"
          + " * | = < > ( ) ' in it; an expression of SQL92 is not evaluated here");
    }
    return new SubscribedTags(tags);
  }

  boolean hold(MessageExt message) {
    String tag = message.getTags();
    return tags.isEmpty() || (tag != null && tags.contains(tag));
  }
}
