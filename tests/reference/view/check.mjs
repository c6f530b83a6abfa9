// Opens pages of `binfmt view` in a real browser without a network, uses them as a reader does, and
// says what was checked. Screenshots go to the folder that is the second argument, if there is one.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import puppeteer from 'puppeteer-core';

const [list, shots] = process.argv.slice(2);
const pages = JSON.parse(readFileSync(list, 'utf8'));
if (shots) mkdirSync(shots, { recursive: true });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
});
let failed = 0;
let checks = 0;

function check(condition, what) {
  checks += 1;
  if (!condition) {
    failed += 1;
    console.log('    FAILED: ' + what);
  }
}

/** What the page says of itself, by its own words: what a reader can see. */
const seen = page => page.evaluate(() => ({
  path: document.getElementById('path').textContent,
  tree: document.querySelector('#tree .chosen .name')?.textContent ?? null,
  hex: document.querySelectorAll('#hex .byte.chosen, #hex .gap.chosen, #hex .end.chosen').length,
  map: document.querySelector('#map .frame')?.row?.name ?? null,
  detail: document.getElementById('detail').textContent,
  finding: document.querySelector('#findings [aria-current] .what')?.textContent ?? null,
}));

const settle = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));

async function open(path, size = [1440, 900], scheme = 'light') {
  const page = await browser.newPage();
  const events = { errors: [], requests: [] };
  page.on('pageerror', error => events.errors.push(String(error)));
  page.on('console', message => { if (message.type() === 'error') events.errors.push(message.text()); });
  page.on('request', request => { if (!/^(file:|data:)/.test(request.url())) events.requests.push(request.url()); });
  page.on('dialog', dialog => { events.errors.push('a dialog: ' + dialog.message()); dialog.dismiss(); });
  await page.setViewport({ width: size[0], height: size[1] });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  const start = performance.now();
  await page.goto('file://' + resolve(path));
  await settle(page);
  events.ms = performance.now() - start;
  return [page, events];
}

async function look(page, name) {
  if (shots) await page.screenshot({ path: shots + '/' + name + '.png' });
}

/** Every part of the page leads to the others. */
async function uses(page, about) {
  const first = await seen(page);
  check(first.tree !== null, 'a field is chosen at first');
  if (about.fields > 1) {
    await page.focus('#tree');
    for (let step = 0; step < 12; step++) await page.keyboard.press(step % 2 ? 'ArrowDown' : 'ArrowRight');
    await settle(page);
    const moved = await seen(page);
    check(moved.path !== first.path, 'keys move through the tree');
    check(moved.map !== null || about.empty, 'the map shows what the tree chose');
    check(moved.hex > 0 || /size(0 bytes)/.test(moved.detail), 'the bytes show what the tree chose: ' + JSON.stringify(moved));
    for (let step = 0; step < 20; step++) await page.keyboard.press('Backspace');
    await settle(page);
    check((await seen(page)).path === first.path, 'back to the outermost field');

    // Every byte in sight leads to the field in the tree.
    const cells = await page.$$('#hex .byte');
    for (const cell of [cells[0], cells[Math.floor(cells.length / 3)], cells[Math.floor(cells.length / 2)]].filter(Boolean)) {
      await cell.evaluate(cell => cell.click());
      await settle(page);
      const now = await seen(page);
      check(now.tree !== null || now.path === 'no field', 'a byte leads to its field');
      const inside = await page.evaluate(() => {
        const at = cursor;
        return chosen === null || (chosen.start <= at && at < chosen.end);
      });
      check(inside, 'the field holds the byte');
    }

    // So does every part of the map, down to its smallest cells.
    check(about.cells > 0 || about.empty, 'the map has cells');
    for (const share of about.empty ? [] : [0, 0.5, 0.99]) {
      const title = await page.evaluate(share => {
        const cells = document.querySelectorAll('#map .cell');
        const cell = cells[Math.floor(share * cells.length)];
        cell.click();
        // A page of a long list leads to its first item.
        return cell.row.isPage ? pathOf(cell.row.kids[0]) : cell.title.split('\n')[0];
      }, share);
      await settle(page);
      const now = await seen(page);
      check(now.path === title, 'a cell of the map leads to its field: ' + title + ' / ' + now.path);
      check(now.tree !== null, 'which the tree shows');
    }
    await page.focus('#map');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Escape');
    const areas = await page.$$('#legend button:not(:disabled)');
    check(areas.length > 0 || about.empty, 'the legend names areas');
    if (areas.length) {
      await areas[0].click();
      await settle(page);
      check((await seen(page)).tree !== null, 'an area leads to its field');
    }

    // Find by name and by offset, and follow the address.
    await page.keyboard.press('Tab');
    await page.focus('#search');
    await page.keyboard.type('0x4');
    await page.keyboard.press('Enter');
    await settle(page);
    check(await page.evaluate(() => cursor === 4 || data.size <= 4), 'an offset is found');
    await page.evaluate(() => { document.getElementById('search').value = ''; });
    const name = await page.evaluate(() => rows.find(row => row.depth === 1)?.name ?? '');
    await page.focus('#search');
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await settle(page);
    check(/of/.test(await page.$eval('#hits', hits => hits.textContent)), 'a name is found: ' + name);
    await page.keyboard.press('Escape');
  }
  for (const key of ['n', 'n', 'p']) await page.keyboard.press(key);
  await settle(page);
  const found = await seen(page);
  check((found.finding !== null) === (about.findings > 0), 'keys go through the findings');
  if (about.findings > 0) {
    await page.click('#findings button');
    await settle(page);
    const clicked = await seen(page);
    check(clicked.finding !== null && clicked.hex > 0, 'a finding leads to its bytes');
    if (about.fields > 0) check(clicked.tree !== null, 'and to its field');
  }
  await page.keyboard.press('?');
  check(await page.$eval('#help', help => help.open), 'help opens');
  await page.keyboard.press('Escape');
  await page.focus('#tree');
  const before = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.keyboard.press('t');
  check(before !== await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'colours change');
  await page.keyboard.press('t');
}

for (const about of pages) {
  const bytes = statSync(about.page).size;
  const [page, events] = await open(about.page);
  const facts = await page.evaluate(() => ({
    fields: rows.length,
    empty: data.size === 0,
    findings: findings.length,
    cells: document.querySelectorAll('#map .cell').length,
    left: [...document.querySelectorAll('body *')].length,
    // The areas of the map are those of all bytes, each counted once.
    sum: file.area === data.size && runs.reduce((sum, run) => sum + run.end - run.start, 0) === data.size,
    verdict: document.querySelector('.verdict').textContent,
    overflow: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    title: document.title,
  }));
  check(facts.sum, 'every byte is in one field of the map');
  check(!facts.overflow, 'nothing is wider than the window');
  check(facts.verdict === about.verdict, 'the verdict is ' + about.verdict + ', not ' + facts.verdict);
  check(bytes < 4 << 20, 'the page is smaller than 4 MiB');
  check(facts.left < 12000, 'few elements: ' + facts.left);
  await look(page, about.name);
  await uses(page, facts);
  await look(page, about.name + '-used');
  check(!/[\u0000-\u0008\u200b-\u200f\u202a-\u202e\u2066-\u2069]/.test(await page.evaluate(() => document.body.innerText)), 'nothing invisible in sight');
  check(await page.evaluate(() => window.hacked === undefined), 'nothing of the file runs');
  check(events.errors.length === 0, 'errors: ' + events.errors.join('; '));
  check(events.requests.length === 0, 'requests: ' + events.requests.join('; '));
  await page.close();
  if (shots) {
    for (const [suffix, size, scheme] of [['dark', [1440, 900], 'dark'], ['narrow', [430, 900], 'light']]) {
      const [other, more] = await open(about.page, size, scheme);
      check(more.errors.length === 0, suffix + ': ' + more.errors.join('; '));
      if (suffix === 'narrow') check(await other.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than a phone');
      await look(other, about.name + '-' + suffix);
      await other.close();
    }
  }
  const time = process.env.TIMES ? ', ' + Math.round(events.ms) + ' ms to open' : '';
  console.log(`${about.name}: ${about.size} bytes, a page of ${(bytes / 1024).toFixed(0)} KiB; ${facts.fields} fields, ${facts.findings} findings, ${facts.cells} cells${time}`);
}
await browser.close();
console.log(`${checks - failed} of ${checks} checks passed`);
process.exit(failed ? 1 : 0);
