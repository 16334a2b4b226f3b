import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Measures the language of the pages and of the Javadoc of main sources. Fails if a group has more
 * than 20 words a sentence on average, or if a crutch word occurs. Sentences above 30 words are
 * counted only. Code, headings and fragments below four words do not count. A list item, a table
 * cell and a tag end a sentence.
 */
class Language {

  private static final double LIMIT = 20;
  private static final int LONG = 30;
  private static final int FRAGMENT = 4;
  private static final char CODE = '\uE000';
  private static final char BREAK = '\uE001';
  private static final char HEADING = '\uE002';

  private static final String ROW = "%-36s %7s %9s %9s %9s %9s";

  private static final Pattern WORD = regex("[\\p{L}\\p{N}]+(?:['’.,:/-][\\p{L}\\p{N}]+)*");
  private static final Pattern SENTENCE_END =
      regex(BREAK + "|\\n[ \\t]*\\n|[.!?][\"'”)\\]*_]*(?=\\s+[^\\p{Ll}\\s])");

  private static final Pattern CRUTCH = Pattern.compile(
      "\\b(?:tells?|telling|told|stands?|stood|troubles?|whoever|nobody|somebody|lest"
          + "|(?:is|are|was|were)\\s+over|comes?\\s+again|in\\s+vain|hand(?:s|ed|ing)?\\s+in"
          + "|who(?<=(?:[.;:]\\s|\\n\\n|" + BREAK + "\\s{0,9})who)(?![^.?" + BREAK + "]*\\?))\\b",
      Pattern.CASE_INSENSITIVE);

  /** Counts of one page or module. */
  private static final class Figures {
    int words;
    int sentences;
    int longOnes;
    int crutches;

    void add(Figures other) {
      words += other.words;
      sentences += other.sentences;
      longOnes += other.longOnes;
      crutches += other.crutches;
    }

    double average() {
      return sentences == 0 ? 0 : (double) words / sentences;
    }

    String row(String name) {
      return String.format(Locale.ROOT, ROW,
          name, words, sentences, String.format(Locale.ROOT, "%.1f", average()), longOnes, crutches);
    }
  }

  /** A text whose parts are blanked out; offsets and lines stay as they were. */
  private static final class Text {
    private StringBuilder chars;

    Text(String chars) {
      this.chars = new StringBuilder(chars);
    }

    /** Blanks every match but for its line ends, and puts a sign in the place of its first character. */
    Text replace(String regex, char sign) {
      for (MatchResult match : regex(regex).matcher(chars.toString()).results().toList()) {
        for (int i = match.start(); i < match.end(); i++) {
          if (chars.charAt(i) != '\n') {
            chars.setCharAt(i, ' ');
          }
        }
        chars.setCharAt(match.start(), sign);
      }
      return this;
    }

    int line(int offset) {
      return (int) chars.chars().limit(offset).filter(it -> it == '\n').count() + 1;
    }
  }

  public static void main(String[] args) throws IOException {
    List<String> findings = new ArrayList<>();
    var pages = new TreeMap<String, Figures>();
    for (Path page : pages()) {
      pages.put(page.toString(), measure(page, page(Files.readString(page)), findings));
    }
    var javadoc = new TreeMap<String, Figures>();
    for (Path source : sources()) {
      javadoc
          .computeIfAbsent(source.getName(0).toString(), it -> new Figures())
          .add(measure(source, javadoc(Files.readString(source)), findings));
    }
    findings.forEach(System.out::println);
    boolean good = report("pages", pages) & report("Javadoc", javadoc) & findings.isEmpty();
    System.exit(good ? 0 : 1);
  }

  private static boolean report(String group, TreeMap<String, Figures> parts) {
    System.out.printf("%n" + ROW + "%n", group, "words", "sentences", "average", "above 30", "crutches");
    Figures total = new Figures();
    parts.values().forEach(total::add);
    parts.forEach((name, figures) -> System.out.println(figures.row(name)));
    System.out.println(total.row("all " + group) + (total.average() > LIMIT ? "  above " + LIMIT : ""));
    return total.average() <= LIMIT;
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
      Stream<Path> below = docs.filter(it -> it.toString().endsWith(".md"))
          .filter(it -> !it.startsWith(Path.of("docs", "adr")));
      return Stream.concat(Stream.of("README.md", "CONTRIBUTING.md").map(Path::of), below).toList();
    }
  }

  private static List<Path> sources() throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Path.of(""))) {
      for (Path main : modules.map(it -> it.resolve("src/main/java")).filter(Files::isDirectory).toList()) {
        try (Stream<Path> files = Files.walk(main)) {
          files.filter(it -> it.toString().endsWith(".java")).forEach(found::add);
        }
      }
    }
    return found;
  }

  private static Text page(String markdown) {
    return new Text(markdown)
        .replace("(?ms)^[ \\t]*```.*?^[ \\t]*```[ \\t]*$", BREAK)
        .replace("(?s)<!--.*?-->", BREAK)
        .replace("(?s)(`+)(?:(?!\\n\\s*\\n).)+?\\1", CODE)
        .replace("\\]\\([^)]*\\)|!?\\[|<?https?://[^\\s>)]*>?", ' ')
        .replace("</?[a-z][^<>]*>", ' ')
        .replace("(?m)^[ \\t]*(?:[-*+]|\\d+\\.)[ \\t]", BREAK)
        .replace("(?m)^#+(?= )", HEADING)
        .replace("\\|", BREAK);
  }

  private static Text javadoc(String java) {
    StringBuilder comments = new StringBuilder(java.replaceAll("[^\\n]", " "));
    regex("(?ms)^[ \\t]*/\\*\\*(.*?)\\*/").matcher(java).results()
        .forEach(it -> comments.replace(it.start(1), it.end(1), it.group(1)).setCharAt(it.end(1), BREAK));
    String nested = "(?:[^{}]|\\{(?:[^{}]|\\{[^{}]*\\})*\\})*";
    return new Text(comments.toString())
        .replace("(?m)^[ \\t]*\\*+", ' ')
        .replace("(?s)<pre>.*?</pre>", BREAK)
        .replace("(?s)\\{@(?:code|literal|snippet|value|systemProperty|inheritDoc)\\b" + nested + "\\}", CODE)
        .replace("\\{@link(?:plain)?\\s+[^\\s{}]+\\s*\\}", CODE)
        .replace("\\{@link(?:plain)?\\s+[^\\s{}(]+(?:\\([^)]*\\))?|\\}", ' ')
        .replace("(?s)<code>.*?</code>", CODE)
        .replace("</?(?:p|ul|ol|li|table|caption|tr|td|th|dl|dt|dd|h\\d|br)\\b[^<>]*>", BREAK)
        .replace("<[^<>]*>", ' ')
        .replace("@see\\b.*", BREAK)
        .replace("@(?:param|throws)\\s+\\S+|@(?:return|since|deprecated)\\b", BREAK);
  }

  private static Figures measure(Path file, Text text, List<String> findings) {
    Figures figures = new Figures();
    for (MatchResult match : CRUTCH.matcher(text.chars).results().toList()) {
      figures.crutches++;
      String word = match.group().replaceAll("\\s+", " ");
      findings.add(file + ":" + text.line(match.start()) + ": \"" + word + "\"");
    }
    String prose = text.chars.toString().replaceAll(HEADING + ".*", "" + BREAK);
    for (String sentence : SENTENCE_END.split(prose)) {
      int words = (int) WORD.matcher(sentence).results().count();
      if (words >= FRAGMENT) {
        figures.words += words;
        figures.sentences++;
        figures.longOnes += words > LONG ? 1 : 0;
      }
    }
    return figures;
  }

  private static Pattern regex(String regex) {
    return Pattern.compile(regex);
  }
}
