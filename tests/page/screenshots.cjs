// Takes the pictures of docs/reports anew; to be run when the page's looks or
// words change, and to be looked at:
//
//   build/release/bin/awdit check -q --report /tmp/causal.html examples/causal.txt
//   NODE_PATH=build/release/tests/page/scratch/node_modules \
//     node tests/page/screenshots.cjs /usr/bin/chromium /tmp/causal.html docs/reports
const { chromium } = require("playwright-core");
const path = require("path");

async function main([executablePath, page, folder]) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const take = async (name, options, prepare) => {
    const context = await browser.newContext(options);
    const tab = await context.newPage();
    await tab.goto("file://" + path.resolve(page));
    await tab.evaluate(() => document.fonts.ready);
    if (prepare) await prepare(tab);
    await tab.screenshot({ path: path.join(folder, name) });
    await context.close();
  };
  await take("page.png", { viewport: { width: 1280, height: 900 } });
  await take("page-why.png", { viewport: { width: 1280, height: 860 }, colorScheme: "dark" }, async (tab) => {
    for (let i = 0; i < 3; ++i) await tab.keyboard.press("ArrowRight");
    await tab.locator(".step.on >> text=Why?").click();
    await tab.evaluate(() => window.scrollTo(0, document.querySelector(".lanes").getBoundingClientRect().top + scrollY - 90));
    await tab.mouse.move(0, 0);
  });
  await take("page-phone.png", { viewport: { width: 390, height: 1300 } });
  await browser.close();
}

main(process.argv.slice(2));
