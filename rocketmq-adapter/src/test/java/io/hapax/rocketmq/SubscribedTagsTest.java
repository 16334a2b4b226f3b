package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.protocol.filter.FilterAPI;
import org.junit.jupiter.api.Test;

/** An expression of tags, and the messages that it lets through. */
class SubscribedTagsTest {

  private static MessageExt tagged(String tag) {
    MessageExt message = new MessageExt();
    message.setTags(tag);
    return message;
  }

  @Test
  void an_expression_is_read_as_the_client_reads_it() throws Exception {
    for (String expression :
        List.of("", "*", "A", "A || B", "A||B", " A||  B ", "A || || B", "A || A", "IN || OR")) {
      assertThat(SubscribedTags.of(expression).tags())
          .as(expression)
          .isEqualTo(FilterAPI.buildSubscriptionData("orders", expression).getTagsSet());
    }
  }

  @Test
  void a_message_is_delivered_if_its_tag_is_one_of_them() {
    SubscribedTags some = SubscribedTags.of("Aa || C");

    assertThat(some.hold(tagged("Aa"))).isTrue();
    assertThat(some.hold(tagged("C"))).isTrue();
    assertThat(some.hold(tagged("BB"))).as("of the same hash code").isFalse();
    assertThat(some.hold(tagged("c"))).isFalse();
    assertThat(some.hold(new MessageExt())).as("without a tag").isFalse();
    assertThat(SubscribedTags.of(" ").hold(new MessageExt())).isTrue();
    assertThat(SubscribedTags.of("*").hold(tagged("BB"))).isTrue();
  }

  @Test
  void what_is_no_expression_of_tags_is_refused_with_the_rule() {
    for (String expression : List.of(
        "a > 5", "a=1", "a IS NOT NULL", "(TAGS)", "a IN ('x')", "A | B", "A B", "A || *", "||")) {
      assertThatThrownBy(() -> SubscribedTags.of(expression))
          .as(expression)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("tags is " + expression + " but must be tags with || between")
          .hasMessageContaining("SQL92");
    }
  }
}
