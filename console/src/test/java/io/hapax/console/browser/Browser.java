package io.hapax.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.pollinterval.IterativePollInterval.iterative;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.ThrowingRunnable;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Controls the installed Chromium in headless mode. Reports errors of pages and their scripts. */
final class Browser {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");

  /** The size of a picture for the documentation. */
  static final Dimension SIZE = new Dimension(1280, 1000);

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts a browser with a new profile, which ends with the JVM. */
  static Browser start() {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(program("chromium", "chromium-browser", "google-chrome"));
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-extensions",
        "--disable-sync",
        "--hide-scrollbars",
        "--no-first-run",
        "--process-per-site",
        "--force-device-scale-factor=1",
        "--lang=en");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service = new ChromeDriverService.Builder()
        .usingDriverExecutable(program("chromedriver"))
        .usingAnyFreePort()
        .build();
    Browser browser = new Browser(new ChromeDriver(service, options));
    Runtime.getRuntime().addShutdownHook(new Thread(browser.driver::quit));
    return browser;
  }

  /** Returns the first of these programs on the search path. */
  private static File program(String... names) {
    List<String> folders =
        List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator));
    return Stream.of(names)
        .flatMap(name -> folders.stream().map(folder -> new File(folder, name)))
        .filter(File::canExecute)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(
            "the search path has none of " + List.of(names) + ", but the tests of the console need"
                + " Chromium and its driver: apt-get install -y chromium chromium-driver"));
  }

  /** Opens an address and waits until the page and its scripts are loaded. */
  Browser open(String address) {
    driver.get(address);
    return this;
  }

  String address() {
    return Objects.requireNonNull(driver.getCurrentUrl());
  }

  String title() {
    return Objects.requireNonNull(driver.getTitle());
  }

  String source() {
    return Objects.requireNonNull(driver.getPageSource());
  }

  WebElement find(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  /** Returns the visible text of an element. The server may replace it while it is read. */
  String text(String selector) {
    return Awaitility.await()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptionsInstanceOf(StaleElementReferenceException.class)
        .until(() -> find(selector).getText(), text -> true);
  }

  /** Follows a link and waits for the other page. */
  Browser follow(String linkText) {
    return leaving(() -> link(linkText).click());
  }

  /** Presses the button with this text and waits for the other page. */
  Browser press(String buttonText) {
    return leaving(() -> button(buttonText).click());
  }

  /** Runs a step that leads to another page and waits for that page. */
  Browser leaving(Runnable step) {
    script("window.left = false");
    step.run();
    awaitPage(() -> assertThat(
            script("return window.left === undefined && document.readyState === 'complete'"))
        .isEqualTo(true));
    return this;
  }

  WebElement link(String text) {
    return driver.findElement(By.linkText(text));
  }

  WebElement button(String buttonText) {
    return driver.findElement(buttonWith(buttonText));
  }

  boolean hasButton(String buttonText) {
    return !driver.findElements(buttonWith(buttonText)).isEmpty();
  }

  private static By buttonWith(String text) {
    return By.xpath("//button[normalize-space()=\"" + text + "\"]");
  }

  Browser type(String selector, String text) {
    WebElement field = find(selector);
    field.clear();
    field.sendKeys(text);
    return this;
  }

  /** Sends keys to the element that has the focus. */
  Browser keys(CharSequence... keys) {
    focused().sendKeys(keys);
    return this;
  }

  WebElement focused() {
    return driver.switchTo().activeElement();
  }

  /** Presses the tabulator until an element with this text, or value, has the focus. */
  Browser tabTo(String text) {
    List<String> passed = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      keys(Keys.TAB);
      String at = String.valueOf(script("const it = document.activeElement;"
          + "return (it.innerText || it.labels?.[0]?.innerText || '').trim()"));
      if (at.equals(text)) {
        return this;
      }
      passed.add(at);
    }
    throw new AssertionError("the keyboard does not reach " + text + ", only " + passed);
  }

  /** Waits until the element exists, because a script or the server adds it. */
  void await(String selector) {
    awaitPage(() -> assertThat(all(selector)).as(selector).isNotEmpty());
  }

  void awaitText(String selector, String text) {
    awaitPage(() -> assertThat(text(selector)).contains(text));
  }

  /** Repeats an assertion until it holds. The page may change meanwhile. */
  void awaitPage(ThrowingRunnable assertion) {
    try {
      Awaitility.await()
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .atMost(PATIENCE)
          .pollInterval(iterative(Browser::next, Duration.ofMillis(10)))
          .ignoreExceptionsInstanceOf(WebDriverException.class)
          .untilAsserted(assertion);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(e.getMessage() + " at " + address() + ":\n" + text("body"), e);
    }
  }

  /** Looks often at first, and seldom during a wait of seconds: each look costs the browser. */
  private static Duration next(Duration interval) {
    return interval.toMillis() < 100 ? interval.multipliedBy(2) : interval;
  }

  /** Returns the result of a script; an empty text if it has none. */
  Object script(String script, Object... arguments) {
    return Objects.requireNonNullElse(driver.executeScript(script, arguments), "");
  }

  /** Sets the preferred colour scheme of the system: {@code dark} or {@code light}. */
  Browser prefer(String theme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
    return this;
  }

  Browser size(int width, int height) {
    driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    driver.manage().window().setSize(new Dimension(width, height));
    return this;
  }

  /** Shows pages as a phone of this width does, until the next {@link #size}. */
  Browser phone(int width) {
    return emulate(width, 844, true);
  }

  /** Sets the size of the visible part of a page, until the next {@link #size}. */
  Browser viewport(int width, int height) {
    return emulate(width, height, false);
  }

  private Browser emulate(int width, int height, boolean mobile) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", mobile));
    return this;
  }

  /** Runs a script before those of each page that is loaded from now on. */
  void inject(String script) {
    driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
  }

  /** Opens another tab, and returns its name. */
  String tab() {
    return driver.switchTo().newWindow(WindowType.TAB).getWindowHandle();
  }

  String currentTab() {
    return driver.getWindowHandle();
  }

  Browser to(String tab) {
    driver.switchTo().window(tab);
    return this;
  }

  void closeTab() {
    driver.close();
  }

  /** Leaves the page first: its stream would be refused. */
  void forgetEverything() {
    open("about:blank");
    driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
  }

  /**
   * Returns the errors and warnings since the last call: scripts that failed or were forbidden. The
   * stream of a console that a test has closed is none.
   */
  List<String> errors() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(it -> it.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .filter(it -> !it.contains("/events - Failed to load resource: net::"))
        .toList();
  }

  /** Writes a picture to {@code target/screenshots}. */
  Path screenshot(String name) {
    try {
      Files.createDirectories(SCREENSHOTS);
      Path file = SCREENSHOTS.resolve(name + ".png");
      return Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
