// Opens each report in Chromium, as people do: on a desktop, in the dark, on a phone, on paper.
//
//   NODE_MODULES=DIR CHROMIUM=PROGRAM [KEEP=DIR] node reports.mjs REPORT.html...
//
// Ends with "N passed, N failed".
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const need = createRequire(join(resolve(process.env.NODE_MODULES), 'x.js'));
const { chromium } = need('playwright-core');
const axe = readFileSync(need.resolve('axe-core/axe.min.js'), 'utf8');
const { HtmlValidate } = need('html-validate');

// What "small" means: a report of a usual host, in bytes.
const SIZE_MOST = 300_000;

// The checker's own opinions on style are not the standard's: what stays is what makes a document valid or usable.
const html = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    'long-title': 'off', // the name of a host is as long as it is
    'void-style': 'off', // <meta/> is allowed in HTML, and how the XML writer ends it
    'no-inline-style': 'error',
    'require-sri': 'error',
    'no-trailing-whitespace': 'off',
    'attribute-boolean-style': 'off',
    'no-raw-characters': 'off',
    'element-required-content': 'error',
  },
});

let passed = 0, failed = 0;
function check(report, what, problems) {
  if (problems.length === 0) {
    passed++;
    return;
  }
  failed++;
  console.log(`FAILED ${report}: ${what}`);
  for (const p of problems.slice(0, 8)) console.log(`    ${p}`);
  if (problems.length > 8) console.log(`    and ${problems.length - 8} more`);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
});

// A page that says what it asked for and what it complained of.
async function open(file, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const said = [], asked = [];
  page.on('console', (m) => said.push(`${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => said.push(`error: ${e.message}`));
  page.on('dialog', (d) => { said.push(`dialog: ${d.message()}`); d.dismiss(); });
  page.on('request', (r) => asked.push(r.url()));
  const url = pathToFileURL(resolve(file)).href;
  await page.goto(url, { waitUntil: 'load' });
  return { context, page, said, asked: asked.filter((u) => u !== url) };
}

async function violations(page) {
  await page.evaluate(axe);
  // Folded parts are read, too.
  await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
  const result = await page.evaluate(() => window.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }));
  return result.violations.flatMap((v) =>
    v.nodes.map((n) => `${v.id}: ${n.target.join(' ')}: ${n.failureSummary.split('\n').slice(1, 2).join(' ').trim()}`));
}

// What is wider than the screen and does not scroll within a box of its own.
const wide = () => {
  const room = document.documentElement.clientWidth;
  const found = [];
  if (document.documentElement.scrollWidth > room) {
    for (const e of document.querySelectorAll('body *')) {
      if (e.getBoundingClientRect().right > room + 1) found.push(`${e.tagName} .${e.getAttribute('class')}: ${e.textContent.slice(0, 60)}`);
    }
    if (!found.length) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  }
  return found;
};

// Boxes that scroll must be reachable without a mouse, and what has the focus must show it.
async function keyboard(page) {
  const problems = [];
  const wanted = await page.evaluate(() => {
    document.querySelectorAll('details').forEach((d) => { d.open = false; });
    return [...document.querySelectorAll('a[href], summary')].filter((e) => e.checkVisibility()).length;
  });
  let seen = 0;
  for (let i = 0; i < wanted + 60; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      const s = getComputedStyle(e);
      const shown = s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0;
      return { what: `${e.tagName} ${e.textContent.slice(0, 40)}`, shown, counted: e.matches('a[href], summary') };
    });
    if (!at) break;
    if (!at.shown) problems.push(`no outline on ${at.what}`);
    if (at.counted) seen++;
  }
  if (seen < wanted) problems.push(`Tab reached ${seen} of ${wanted} links and summaries`);
  return problems;
}

for (const file of process.argv.slice(2)) {
  const name = basename(file, '.html');
  const text = readFileSync(file, 'utf8');

  const validity = await html.validateString(text);
  check(name, 'valid HTML', validity.results.flatMap((r) => r.messages
    .filter((m) => m.severity === 2).map((m) => `${m.line}:${m.column} ${m.ruleId}: ${m.message}`)));
  check(name, `smaller than ${SIZE_MOST} bytes`, statSync(file).size < SIZE_MOST ? [] : [`${statSync(file).size} bytes`]);
  check(name, 'no script, no style attribute, no event handler', [
    ...(text.match(/<script\b[^>]*>/gi) ?? []), ...(text.match(/<[^>]*\sstyle\s*=[^>]*>/gi) ?? []),
    ...(text.match(/<[a-z][^<>]*\son[a-z]+\s*=\s*"[^>]*>/gi) ?? []),
  ]);

  // axe reads every element's colours, which takes a second for a long report: by turns in the dark and on a phone.
  const turn = process.argv.indexOf(file) % 2;
  const views = [
    ['on a desktop', true, { viewport: { width: 1200, height: 900 }, colorScheme: 'light' }],
    ['in the dark', turn === 0, { viewport: { width: 1200, height: 900 }, colorScheme: 'dark' }],
    ['on a phone', turn === 1, { viewport: { width: 390, height: 800 }, colorScheme: 'light', isMobile: true, hasTouch: true }],
  ];
  for (const [view, axed, options] of views) {
    const { context, page, said, asked } = await open(file, options);
    check(name, `no message on the console ${view}`, said);
    check(name, `no request ${view}`, asked);
    check(name, `nothing wider than the screen ${view}`, await page.evaluate(wide));
    // A key at a time takes seconds in a long report: every other one.
    if (view === 'on a desktop' && turn === 1) check(name, 'reachable by keyboard', await keyboard(page));
    if (process.env.KEEP) await page.screenshot({ path: join(process.env.KEEP, `${name} ${view}.png`), fullPage: true });
    if (axed) check(name, `axe finds nothing ${view}`, await violations(page));
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    if (options.isMobile) await page.setViewportSize({ width: 320, height: 640 });
    check(name, `nothing wider than the screen ${view}, unfolded`, await page.evaluate(wide));
    await context.close();
  }

  // On paper: what is folded is printed.
  const { context, page, said } = await open(file, { viewport: { width: 800, height: 1000 } });
  await page.emulateMedia({ media: 'print' });
  check(name, 'what is folded is printed', await page.evaluate(() =>
    [...document.querySelectorAll('details > :not(summary)')].filter((e) => !e.checkVisibility({ contentVisibilityAuto: true }) && !e.getClientRects().length)
      .map((e) => e.textContent.slice(0, 60))));
  const pdf = await page.pdf({ format: 'A4' });
  if (process.env.KEEP) writeFileSync(join(process.env.KEEP, `${name}.pdf`), pdf);
  check(name, 'prints', pdf.length > 1000 && !said.length ? [] : [`${pdf.length} bytes`, ...said]);
  await context.close();
}
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
