// Sets the chosen theme before the page is rendered. The default is the theme of the system.
(() => {
  try {
    const chosen = localStorage.getItem("hapax-theme");
    if (chosen === "dark" || chosen === "light") {
      document.documentElement.dataset.theme = chosen;
    }
  } catch (unavailable) {
    // The browser forbids storage: the page shows the theme of the system.
  }
})();
