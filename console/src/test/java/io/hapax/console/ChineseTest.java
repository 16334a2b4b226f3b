package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.DeadLetter.Kind;
import io.hapax.console.http.Response;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pages in Chinese contain names in English, and no sentences. */
class ChineseTest extends TopicsFixture {

  /** Two words of a sentence, or a word in the middle of a Chinese one. */
  private static final String ENGLISH = "(?<![\\w-])[A-Za-z]{2,}[,:;]? [a-z]{2,}(?![\\w.-])";

  @BeforeEach
  void speakChinese() {
    visitor.with("accept-language", "zh-CN");
  }

  /** Returns the text of a page, without the warnings of the store, which are its own words. */
  private static String chinese(Response page) {
    String text = Visitor.text(page)
        .replaceAll("(?s)<section[^>]*\"warnings\">.*?</section>", "")
        .replaceAll("<[^>]*>", "|");
    assertThat(text).contains("退出").doesNotContainPattern(ENGLISH);
    return text;
  }

  private String page(String address) {
    return chinese(visitor.get(address));
  }

  @Test
  void a_dry_run_a_result_and_a_refusal_are_chinese_and_the_log_stays_english() throws Exception {
    Marks.claimed(store, "lost", Duration.ofNanos(1));
    Marks.claimed(store, "held", Duration.ofHours(1));
    Marks.done(store, "sold");

    assertThat(chinese(visitor.planned("done", "id", "lost")))
        .contains("lost，位于 orders-0@17，", "第 1 次尝试", "lost 将标记为完成：消息不再执行");
    assertThat(chinese(visitor.execute("done", "id", "lost"))).contains("lost 已标记为完成");
    assertThat(chinese(visitor.planned("done", "id", "none"))).contains("此存储中没有它的标记");
    assertThat(chinese(visitor.planned("reopen", "id", "held"))).contains("其标记没有滞留：" + Marks.OWNER);
    assertThat(chinese(visitor.planned("redeliver", "id", "sold"))).contains("它已完成");
    assertThat(chinese(visitor.planned("generation", "expected", "0"))).contains("消费者正在运行");
    assertThat(chinese(visitor.planned("generation", "expected", "7"))).contains("它处于代次 0");
    assertThat(chinese(visitor.planned("redrive", "id", "a", "rate", "0"))).contains("速率是 0");

    assertThat(page("/consumers")).contains("lost 已标记为完成：消息不再执行", "拒绝：此存储中没有它的标记");
    assertThat(page("/id?id=lost")).contains("lost 已标记为完成");
    assertThat(Files.readString(log)).contains("lost was marked as done: the message does not run");
  }

  @Test
  void a_dry_run_of_several_messages_and_its_result_are_chinese() {
    Marks.claimed(store, "a", Duration.ofNanos(1));
    Marks.done(store, "b");
    Response dryRun = ended(visitor.planned("reopen", "id", "a", "id", "b"));

    assertThat(chinese(dryRun)).contains("2 条消息：1 条可行，1 条拒绝", "b 被拒绝：它已完成", "以上是试运行，没有改动。");
    assertThat(chinese(ended(visitor.confirmed("reopen", dryRun)))).contains("1 条消息：1 条已更改，0 条拒绝");
    await().atMost(BOUND).untilAsserted(() -> assertThat(page("/consumers")).contains("已更改 1 条"));
  }

  @Test
  void a_redrive_and_the_story_of_its_message_are_chinese() throws Exception {
    dies("a");
    topics.deadLetter(topics.publish("b"), Kind.IN_DOUBT, "shop.Unknown");
    Marks.done(store, "c");
    topics.deadLetter(topics.publish("c"), Kind.CONFLICT, "shop.Other");
    Response dryRun = ended(visitor.planned("redrive", "all", "on", "topic", topics.letters()));

    assertThat(chinese(dryRun))
        .contains("将发布：a，位于 " + topics.letters() + "-0@0", "（不可重试：shop.NoPrice）", "没有标记")
        .contains("不是死信：c，位于", "（冲突：shop.Other）：它已完成");
    assertThat(chinese(ended(visitor.confirmed("redrive", dryRun)))).contains("已发布：a");
    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(page("/id?id=a")).contains("已结束，已发布 1 条", "不可重试"));
    page("/id?id=b");
    page("/id?id=c");
    String letters = visitorsLetters();
    assertThat(letters).contains("没有它的标记");
  }

  /** Returns the page of the first group of dead letters. */
  private String visitorsLetters() {
    String all = Visitor.text(visitor.get("/deadletters"));
    StringBuilder pages = new StringBuilder(page("/deadletters"));
    for (String key : List.of(all.split("group=", -1))) {
      if (key.matches("(?s)[0-9a-f]+#.*")) {
        pages.append(page("/deadletters?group=" + key.replaceAll("(?s)#.*", "")));
      }
    }
    return pages.toString();
  }

  @Test
  void an_audit_a_search_and_a_replay_are_chinese() throws Exception {
    topics.publish("a");
    topics.publish("b");
    Marks.done(store, "a");
    Marks.claimed(store, "b", Duration.ofNanos(1));
    topics.commit(1);

    assertThat(chinese(ended(visitor.form("/actions/audit", "from", "beginning"))))
        .contains("起点：开头", "不同的 ID", "将会再次执行", "滞留：b，位于 " + topics.orders() + "-0@1");
    assertThat(chinese(ended(visitor.form("/actions/search", "id", "x", "bytes", "0x61"))))
        .contains("具有此 ID", "发送于");
    Response dryRun = ended(visitor.planned("replay"));
    assertThat(chinese(dryRun)).contains("再次投递的消息：至多 1 条", "以上是试运行，没有移动。");
    assertThat(chinese(visitor.confirmed("replay", dryRun))).contains("消费组已移动");
    assertThat(chinese(ended(visitor.planned("replay", "topic", "no-such-topic"))))
        .contains("主题 no-such-topic 不存在");
    page("/replay");
  }

  @Test
  void the_pages_without_data_are_chinese() {
    for (String address : List.of(
        "/", "/id", "/id?id=a", "/doubt", "/deadletters", "/duplicates", "/conflicts", "/none")) {
      page(address);
    }
  }
}
