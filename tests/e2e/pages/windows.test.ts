import { hydrated, keepScreenshot, laptop, phone } from "../../services/browser.ts";
import { expect, test } from "../fixtures.ts";

const desktop = { width: 1920, height: 1080 };

test("Header, page and footer have the same edges in every window, and names of chosen clips one line", async ({
  product,
  visit,
}) => {
  const { maker } = product.players;
  const chosen = `/clips/compile?clip=${product.clipId}`;
  for (const viewport of [laptop, desktop]) {
    const { page } = await visit({ as: maker, viewport });
    for (const path of [`/matches/${product.matchId}`, `/clips/${product.clipId}`, "/clips", chosen]) {
      await page.goto(path);
      /** Where the text of each begins and ends. */
      const edges = await page.locator("header .wrap, main.wrap, footer .wrap").evaluateAll((parts) =>
        parts.map((part) => {
          const { left, right } = part.getBoundingClientRect();
          return `${left} ${right}`;
        }),
      );
      expect(edges, path).toHaveLength(3);
      expect(new Set(edges).size, `${path} at ${viewport.width}`).toBe(1);
    }
    const own = page.locator("main > div").last();
    const inner = await page.locator("main").evaluate((main) => {
      const { paddingLeft, paddingRight } = getComputedStyle(main);
      return main.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    });
    expect((await own.boundingBox())?.width).toBe(inner);
    const name = page.locator("ol li p.font-semibold").first();
    expect((await name.boundingBox())!.height).toBeLessThan(24);
    await keepScreenshot(page, `compile-${viewport.width}`);
  }
});

test("The settings' tabs stand in rows of equal width on a phone, and an unticked choice looks like one", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.maker, viewport: phone });
  await page.goto("/settings");
  const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  const widths = await tabs.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().width));
  expect(widths).toHaveLength(4);
  expect(new Set(widths).size).toBe(1);
  const unticked = page.locator("input[type=radio]:not(:checked):not(:disabled)").first();
  const contrast = await unticked.evaluate((radio) => getComputedStyle(radio).borderTopColor);
  // The colour of tick boxes, which 3:1 is more than met by.
  expect(contrast).toBe("rgb(135, 150, 177)");
  await keepScreenshot(page, "settings-390");
});
