package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the constants of the scripts with those of the same names in Java. */
class ScriptConstantsTest {

  private static final Pattern LOCALS =
      Pattern.compile("^local ([A-Z_]+(?:, [A-Z_]+)*) = ('.'(?:, '.')*)", Pattern.MULTILINE);

  private static Map<String, Byte> inScript(Script script) {
    String text = ScriptText.of(script, Script.Marks.STRINGS).content();
    Map<String, Byte> constants = new HashMap<>();
    for (MatchResult locals : LOCALS.matcher(text).results().toList()) {
      String[] names = locals.group(1).split(", ", -1);
      String[] values = locals.group(2).split(", ", -1);
      for (int i = 0; i < names.length; i++) {
        constants.put(names[i], (byte) values[i].charAt(1));
      }
    }
    return constants;
  }

  private static Map<String, Byte> inJava(Class<?> constants) throws IllegalAccessException {
    Map<String, Byte> values = new HashMap<>();
    for (Field field : constants.getDeclaredFields()) {
      if (field.getType() == byte.class) {
        values.put(field.getName(), field.getByte(null));
      }
    }
    return values;
  }

  @Test
  void every_script_uses_the_state_codes_of_java() {
    assertThat(Arrays.stream(Script.values()).filter(script -> script != Script.PURGE))
        .allSatisfy(
            script -> assertThat(inScript(script)).containsAllEntriesOf(inJava(StateCode.class)));
  }

  @Test
  void a_claim_is_answered_with_the_codes_of_java() throws IllegalAccessException {
    assertThat(inScript(Script.CLAIM)).containsAllEntriesOf(inJava(AnswerCode.class));
  }
}
