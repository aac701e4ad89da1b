"""Tests of accessibility, phones and dark mode."""
import re

from selenium.webdriver.common.keys import Keys

from browser import PageTestCase

# Returns the texts whose contrast with their background is below 4.5:1, the minimum of WCAG 1.4.3.
CONTRAST = """
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (rgb) => { const c = rgb.map((v) => v / 255).map((v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * c[0] + .7152 * c[1] + .0722 * c[2]; };
  const ground = (node) => { for (; node; node = node.parentElement) { const c = getComputedStyle(node).backgroundColor; if (/^rgb\\(/.test(c)) return parts(c); } return [255, 255, 255]; };
  const opacity = (node) => { let product = 1; for (; node; node = node.parentElement) product *= getComputedStyle(node).opacity; return product; };
  return [...document.querySelectorAll('body *')].filter((one) => [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim())
      && one.checkVisibility() && one.offsetParent && !one.closest(':disabled')).map((one) => {
    const under = ground(one); const [r, g, b, alpha = 1] = parts(getComputedStyle(one).color);
    const part = alpha * opacity(one); const text = [r, g, b].map((v, i) => v * part + under[i] * (1 - part));
    const [a, z] = [luminance(text), luminance(under)].sort((x, y) => y - x);
    return [(a + .05) / (z + .05), one.className, one.textContent.slice(0, 30)]; }).filter(([ratio]) => ratio < 4.5);"""


class AccessTests(PageTestCase):
    def views(self):
        """Opens each view and waits for its content."""
        for view, state, content in self.VIEWS:
            self.open(view, **state)
            self.wait(lambda: self.all(content), f"{view} is empty")
            yield view

    def test_phone_width(self):
        self.size(390, 844)
        for view in self.views():
            width = self.browser.execute_script("return document.documentElement.scrollWidth")
            self.shot(f"phone-{view}")
            self.assertLessEqual(width, 390, f"{view} is wider than the screen")

    def test_dark_mode(self):
        self.scheme("dark")
        for view in self.views():
            self.shot(f"dark-{view}")
            color = self.browser.execute_script("return getComputedStyle(document.body).backgroundColor")
            self.assertLess(sum(int(part) for part in re.findall(r"\d+", color)[:3]), 200)

    def test_text_has_contrast(self):
        for scheme in ["light", "dark"]:
            self.scheme(scheme)
            for view in self.views():
                self.assertEqual(self.browser.execute_script(CONTRAST), [], f"{view}, {scheme}")
            self.open("search", q="harbour")
            self.one(".facets fieldset input").click()
            self.wait(lambda: self.all(".chip"))
            self.one(".searchbox input").send_keys(Keys.ARROW_DOWN)
            self.wait(lambda: self.all(".hit.selected"))
            self.assertEqual(self.browser.execute_script(CONTRAST), [], f"selected, {scheme}")

    def test_the_contrast_includes_opacity(self):
        self.open("overview")
        self.wait(lambda: self.all(".card"))
        self.browser.execute_script("document.querySelector('footer').style.opacity = 0.4")
        self.assertEqual([text for _, _, text in self.browser.execute_script(CONTRAST)], ["Keyboard shortcuts"])

    def test_controls_have_names_and_views_have_a_heading(self):
        script = """
          return [...document.querySelectorAll('button, input, select, textarea, a')].filter((one) => one.offsetParent &&
            !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length)).map((one) => one.outerHTML);"""
        for view in self.views():
            self.assertEqual(self.browser.execute_script(script), [], view)
            self.assertEqual((len(self.all("main")), len(self.all("h1"))), (1, 1))
        self.open("search", q="harbour")
        self.wait(lambda: "found" in self.one("#status").get_attribute("textContent"))

    def test_the_focus_follows_the_view(self):
        self.open("search", q="harbour")
        self.wait(lambda: self.all(".hit"))
        self.one(".searchbox input").send_keys(Keys.ARROW_DOWN, Keys.ENTER)
        self.wait(lambda: self.all("article mark"))
        self.assertEqual(self.active().tag_name, "h1")
        self.active().send_keys(Keys.ESCAPE)
        self.wait(lambda: self.active().get_attribute("id") == "hit-0")

    def test_the_focus_stays_on_a_filter_and_on_a_hit(self):
        self.open("search", q="harbour")
        self.one(".facets fieldset input").click()
        self.wait(lambda: self.all(".chip"))
        self.assertEqual(self.active().get_attribute("type"), "checkbox")
        self.assertTrue(self.active().is_selected())
        self.open("search", q="harbour")
        self.wait(lambda: self.all(".live.on") and self.all(".hit"))
        self.one(".searchbox input").send_keys(Keys.ARROW_DOWN)
        self.wait(lambda: self.active().get_attribute("id") == "hit-0")
        hit = self.active()
        self.server.save("focus_1", {"text": "other"})
        self.wait(lambda: hit not in self.all(".hit a"))
        self.assertEqual(self.active().tag_name, "a")

    def test_single_keys_are_turned_off(self):
        self.open("document", id="Corpora/polyglot/en.md", q="harbour")
        self.wait(lambda: self.all("article mark"))
        self.one("#show-shortcuts").click()
        self.shot("shortcuts")
        self.one("#single-keys").click()
        self.active().send_keys(Keys.ESCAPE)
        self.wait(lambda: not self.one("#shortcuts").is_displayed())
        self.active().send_keys("n")
        self.active().send_keys("/")
        self.assertFalse(self.all("mark.current"))
        self.assertEqual(self.one("nav [aria-current]").text, "Search")
        self.browser.refresh()
        self.wait(lambda: self.all("article mark"))
        self.one("body").send_keys("n")
        self.assertFalse(self.all("mark.current"))
        self.one("#show-shortcuts").click()
        self.one("#single-keys").click()
        self.active().send_keys(Keys.ESCAPE)
        self.one("body").send_keys("n")
        self.wait(lambda: self.all("mark.current"))
