import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { list, policy } from '#test/cli/manifests.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { describeInBrowser } from './chromium.ts';
import { mixedSchedules } from './mixed-schedules.ts';
import { night } from './night.ts';

const NOW = '2026-11-30T10:07:00Z';
const MEGABYTE = 1_000_000;

interface Made {
  readonly folder: string;
  readonly url: string;
  readonly bytes: number;
}

/** What the command line writes for these objects, in a file. */
async function made(objects: readonly JsonObject[], format: 'html' | 'svg'): Promise<Made> {
  const folder = await temporaryFolder({ 'a.json': list(...objects), 'config.yaml': 'cronJob: manage\n' });
  const argv = ['timeline', '-f', 'a.json', '--config', 'config.yaml', '--now', NOW];
  const zone = ['--timezone', 'Europe/Berlin'];
  const { code, stdout } = await runMinutehand([...argv, ...zone, '-o', format], { cwd: folder });
  expect(code).toBe(0);
  const path = join(folder, `timeline.${format}`);
  await writeFile(path, stdout);
  return { folder, url: pathToFileURL(path).href, bytes: Buffer.byteLength(stdout) };
}

interface Opened {
  readonly page: Page;
  /** Everything that the page asked for, and everything that it complained of. */
  readonly requests: readonly string[];
  readonly complaints: readonly string[];
}

async function open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('websocket', (socket) => requests.push(socket.url()));
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, requests, complaints };
}

/** The marks of one schedule, by its name. */
function marksOf(page: Page, name: string): ReturnType<Page['locator']> {
  return page.locator('#calendar tbody tr', { hasText: name }).locator('button');
}

/** What the page says of the slot that has the focus. */
async function announced(page: Page): Promise<string> {
  return (await page.locator('#status').textContent()) ?? '';
}

/** What stands in the panel beside what is pointed at. */
async function pointedAt(page: Page): Promise<string> {
  return (await page.locator('#tip').locator('b, span').allInnerTexts()).join('\n');
}

describeInBrowser('the timeline as a page', (use) => {
  test('asks for nothing but itself and complains of nothing', async () => {
    const { url } = await made(night(), 'html');
    const { page, requests, complaints } = await open(use(), url);
    await marksOf(page, 'harbor/dump').first().hover();
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await page.waitForLoadState('networkidle');
    expect(requests).toEqual([url]);
    expect(complaints).toEqual([]);
  });

  test('is a document with landmarks, headings and tables for those who hear it', async () => {
    const { url } = await made(night(), 'html');
    const { page } = await open(use(), url);
    const whole = await page.locator('body').ariaSnapshot();
    expect(whole).toContain('- banner:');
    expect(whole).toContain('- main:');
    expect(whole).toContain('- contentinfo:');
    const title = 'Timeline: Mon 30 Nov 2026 to Sun 6 Dec 2026';
    await expect(page.getByRole('heading', { name: title, level: 1 }).count()).resolves.toBe(1);
    for (const name of ['Calendar', 'Starts per minute of the day']) {
      await expect(page.getByRole('region', { name, exact: true }).count()).resolves.toBe(1);
      await expect(page.getByRole('heading', { name, level: 2, exact: true }).count()).resolves.toBe(1);
    }
    const calendar = page.getByRole('table', { name: /^Slots of each schedule by day, in Europe\/Berlin/ });
    const heard = await calendar.ariaSnapshot();
    expect(heard).toContain('- columnheader "Mon 30 Nov"');
    expect(heard).toContain('- rowheader "CronJob harbor/dump 0 */4 * * * Etc/UTC"');
    expect(heard).toContain('- button "01:00, passed, no run is left"');
    expect(heard).toContain('- button "05:00, its run failed"');
    expect(heard).toContain('- button "09:00, ran"');
    expect(heard).toContain('- button "00:00 to 23:59, 1440 slots, to come"');
    const why = calendar.getByRole('cell', { name: 'invalid: no instant matches the schedule' });
    await expect(why.count()).resolves.toBe(1);
    const heat = page.getByRole('grid', { name: /^The most starts in each minute of the day/ });
    await expect(heat.getByRole('row').count()).resolves.toBe(25);
    await expect(
      heat.getByRole('gridcell', { name: /^05:00 in Europe\/Berlin, at most 3 starts at once/ }).count(),
    ).resolves.toBe(1);
  });

  test('tells under the pointer when a slot is, here and in UTC, and what became of it', async () => {
    const { url } = await made(night(), 'html');
    const { page } = await open(use(), url);
    const tip = page.locator('#tip');
    expect(await tip.isVisible()).toBe(false);
    await marksOf(page, 'harbor/kathmandu').nth(1).hover();
    expect(await tip.locator('b, span').allInnerTexts()).toEqual([
      'harbor/kathmandu',
      'to come',
      'Tue 2026-12-01 06:00 +05:45 Asia/Kathmandu',
      'Tue 2026-12-01 00:15 UTC',
    ]);
    await marksOf(page, 'orchard/silo').first().hover();
    expect(await pointedAt(page)).toMatch(
      /^orchard\/silo\nto come\nMon 2026-11-30 22:(\d\d)(?::(\d\d))? \+05:45 Asia\/Kathmandu\nMon 2026-11-30 16:\d\d(?::\d\d)? UTC\nbase 22:00 and (?:\d+ min)? ?(?:\d+ s)? of jitter$/,
    );
    await marksOf(page, 'orchard/tank').first().hover();
    expect(await pointedAt(page)).toMatch(
      /^orchard\/tank\nto come\nMon 2026-11-30 22:00 \+05:45 Asia\/Kathmandu to Mon 2026-11-30 22:39:59 \+05:45 Asia\/Kathmandu\n.* UTC\nsome time up to .*, fixed once the object has a uid$/,
    );
    await marksOf(page, 'harbor/dump').nth(1).hover();
    expect(await pointedAt(page)).toMatch(
      /^harbor\/dump\nits run failed\nMon 2026-11-30 04:00 \+00:00 Etc\/UTC\nMon 2026-11-30 04:00 UTC\nrun dump-\d+ \(failed\)$/,
    );
    // Whoever wants to read it may point at it, and anybody can send it away.
    await tip.hover();
    await page.waitForTimeout(400);
    expect(await tip.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await tip.isVisible()).toBe(false);
    await page
      .locator('#heat tbody td')
      .nth(5 * 60)
      .hover();
    expect(await pointedAt(page)).toMatch(
      /^05:00 in Europe\/Berlin\nat most 3 starts at once, on Mon 2026-11-30\n\d+ on all days together$/,
    );
  });

  test('is walked with the keyboard, and says where it is', async () => {
    const { url } = await made(night(), 'html');
    const { page } = await open(use(), url);
    const dump = marksOf(page, 'harbor/dump');
    const focused = (): Promise<string | null> => page.locator(':focus').getAttribute('aria-label');
    // One stop for the whole calendar: the first slot to come.
    expect(await page.locator('#calendar [tabindex="0"]').count()).toBe(1);
    await page.locator('#filter').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('13:00, to come');
    expect(await announced(page)).toBe(
      'harbor/dump. to come. Mon 2026-11-30 12:00 +00:00 Etc/UTC. Mon 2026-11-30 12:00 UTC',
    );
    expect(await page.locator('#tip').isVisible()).toBe(true);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe('05:00, its run failed');
    expect(await announced(page)).toMatch(/^harbor\/dump\. its run failed\. .*run dump-\d+ \(failed\)$/);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe('01:00, passed, no run is left');
    await page.keyboard.press('PageDown');
    expect(await announced(page)).toContain('Tue 2026-12-01 00:00 UTC');
    await page.keyboard.press('PageUp');
    expect(await announced(page)).toContain('Mon 2026-11-30 ');
    await page.keyboard.press('End');
    expect(await dump.last().evaluate((element) => element === element.ownerDocument.activeElement)).toBe(
      true,
    );
    // Down to the slot of the next schedule that is nearest in time, over rows that have none.
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    expect(await announced(page)).toMatch(/^harbor\/kathmandu\. /);
    for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowDown');
    expect(await announced(page)).toMatch(/^vault-a\/weekly\. to come\. Sun 2026-12-06 05:00 UTC$/);
    expect(await page.locator('#calendar [tabindex="0"]').count()).toBe(1);
    // One more stop for the starts of each minute.
    await page.locator('#heat [tabindex="0"]').focus();
    const before = await focused();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(before).toMatch(/^01:00 in /);
    expect(await focused()).toMatch(/^02:01 in /);
    expect(await announced(page)).toMatch(/^02:01 in Europe\/Berlin\. /);
  });

  test('shows only the schedules that a filter names', async () => {
    const { url } = await made(night(), 'html');
    const { page } = await open(use(), url);
    const rows = page.locator('#calendar tbody tr:visible');
    const all = await rows.count();
    await page.getByRole('searchbox', { name: 'Filter' }).fill('vault-a  WEEK');
    expect(await rows.locator('.name').allInnerTexts()).toEqual(['vault-a/weekly']);
    expect(await page.locator('#found').textContent()).toBe(`1 of ${all} schedules`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await announced(page)).toMatch(/^vault-a\/weekly\. /);
    await page.getByRole('searchbox', { name: 'Filter' }).fill('');
    expect(await rows.count()).toBe(all);
  });

  test.each([
    ['light', 'dark'],
    ['dark', 'light'],
  ] as const)('follows the system, which is %s, until somebody chooses %s', async (system, other) => {
    const { url, folder } = await made(night(), 'html');
    const { page } = await open(use(), url, { colorScheme: system });
    const background = (): Promise<string> =>
      page
        .locator('body')
        .evaluate(
          (element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundColor ?? '',
        );
    const colours = { light: 'rgb(250, 250, 248)', dark: 'rgb(20, 22, 26)' };
    const shots: Buffer[] = [];
    const shoot = async (name: string): Promise<void> => {
      const path = join(folder, `${name}.png`);
      shots.push(await page.screenshot({ path }));
      expect((await stat(path)).size).toBeGreaterThan(20_000);
    };
    expect(await background()).toBe(colours[system]);
    await shoot(system);
    const label = other === 'dark' ? 'Dark theme' : 'Light theme';
    const button = page.getByRole('button', { name: label });
    await button.focus();
    await page.keyboard.press('Enter');
    expect(await background()).toBe(colours[other]);
    expect(await page.locator('#theme').textContent()).not.toBe(label);
    await shoot(other);
    expect(shots[0]?.equals(shots[1] ?? Buffer.alloc(0))).toBe(false);
    await page.locator('#theme').click();
    expect(await background()).toBe(colours[system]);
  });

  test('moves nothing for those who want it still', async () => {
    const { url } = await made(night(), 'html');
    const { page } = await open(use(), url, { reducedMotion: 'reduce' });
    await marksOf(page, 'harbor/dump').first().hover();
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    expect(await page.evaluate("getComputedStyle(document.getElementById('tip')).animationName")).toBe(
      'none',
    );
  });

  test('fits a narrow screen: only the tables scroll', async () => {
    const { url } = await made(night(), 'html');
    const { page } = await open(use(), url, { viewport: { width: 400, height: 800 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
    const last = marksOf(page, 'harbor/dump').last();
    await last.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    const box = await last.boundingBox();
    expect(box === null ? -1 : box.x + box.width).toBeLessThanOrEqual(400);
    const tip = await page.locator('#tip').boundingBox();
    expect(tip === null ? -1 : tip.x).toBeGreaterThanOrEqual(0);
    expect(tip === null ? 401 : tip.x + tip.width).toBeLessThanOrEqual(400);
  });

  test('keeps what objects say from becoming a part of it', async () => {
    const said = [
      '<img src=x onerror=alert(1)>',
      '</script><script>alert(1)</script>',
      '"><svg onload=alert(1)>',
    ];
    const hostile = said.map((schedule, index) => policy(`hostile-${index}`, { spec: { schedule } }));
    const { url } = await made([...night(), ...hostile], 'html');
    const { page, requests, complaints } = await open(use(), url);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    expect(await page.locator('img, svg').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('.when').allInnerTexts()).toEqual(expect.arrayContaining(said));
    expect({ dialogs, requests, complaints }).toEqual({ dialogs: [], requests: [url], complaints: [] });
  });

  test('runs no script and no style but its own, whatever is put into it', async () => {
    const { url } = await made(night(), 'html');
    const { page, complaints } = await open(use(), url);
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'globalThis.planted = true';
      document.body.append(script);
      const element = document.createElement('p');
      element.setAttribute('style', 'position: fixed');
      document.body.append(element);
      const image = new Image();
      image.src = 'https://example.invalid/x.png';
      document.body.append(image);
    }`);
    await page.waitForTimeout(100);
    expect(await page.evaluate('globalThis.planted')).toBeUndefined();
    expect(
      await page.evaluate('getComputedStyle(document.body.lastElementChild.previousElementSibling).position'),
    ).toBe('static');
    expect(complaints.filter((text) => text.includes('Content Security Policy'))).toHaveLength(3);
  });

  test('of 500 schedules stays under 1 MB and is there at once', async () => {
    const { url, bytes } = await made(mixedSchedules(500), 'html');
    expect(bytes).toBeLessThan(MEGABYTE);
    const { page, requests, complaints } = await open(use(), url);
    expect(await page.locator('#calendar tbody tr').count()).toBe(500);
    expect(await page.locator('#calendar button').count()).toBeGreaterThan(3000);
    expect({ requests, complaints }).toEqual({ requests: [url], complaints: [] });
    await marksOf(page, 'schedule-499').first().hover();
    expect(await pointedAt(page)).toMatch(/^harbor\/schedule-499\n/);
  });

  test.each([
    ['as many marks as fit', {}],
    ['a jitter of its own for each of them', { jitter: '30m' }],
  ])('of 500 schedules stays under 1 MB where each day has %s', async (_name, jitter) => {
    const objects = [...Array(500).keys()].map(
      (index): JsonObject => ({
        apiVersion: 'kopiur.home-operations.com/v1alpha1',
        kind: 'SnapshotSchedule',
        metadata: { name: `${'long-name-'.repeat(4)}${index}`, namespace: 'orchard', uid: `uid-${index}` },
        spec: { policyRef: { name: 'daily' }, schedule: { cron: `${index % 60} */4 * * *`, ...jitter } },
      }),
    );
    const { bytes } = await made(objects, 'html');
    expect(bytes).toBeGreaterThan(MEGABYTE / 4);
    expect(bytes).toBeLessThan(MEGABYTE);
  });
});

describeInBrowser('the timeline as a picture', (use) => {
  test('is well-formed, has a name and a description, and asks for nothing', async () => {
    const hostile = policy('hostile', { spec: { schedule: '</text><script>alert(1)</script>&x;' } });
    const { url } = await made([...night(), hostile], 'svg');
    const { page, requests, complaints } = await open(use(), url);
    expect(await page.evaluate("document.querySelector('parsererror')")).toBeNull();
    expect(await page.evaluate('document.documentElement.nodeName')).toBe('svg');
    expect(await page.evaluate("document.querySelector('title').textContent")).toBe(
      'Timeline: Mon 30 Nov 2026 to Sun 6 Dec 2026, Europe/Berlin',
    );
    expect(await page.locator('script').count()).toBe(0);
    expect({ requests, complaints }).toEqual({ requests: [url], complaints: [] });
    const shot = await page.screenshot();
    expect(shot.length).toBeGreaterThan(20_000);
  });
});
