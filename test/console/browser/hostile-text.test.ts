import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from '../../browser.ts';
import { call, form, stage } from '../../contract/stage.ts';
import { endedVideo, until } from '../../contract/until.ts';
import { goTo, openConsole, signIn } from './console-page.ts';

/**
 * Each text calls `xss()` if it runs: as markup, in an attribute, link, script or style, or after it was decoded twice.
 */
const VECTORS: readonly string[] = [
  '<script>xss()</script>',
  '<ScRiPt>xss()</sCrIpT>',
  '<scr<script>ipt>xss()</scr</script>ipt>',
  '</title><script>xss()</script>',
  '</textarea><script>xss()</script>',
  '</script><script>xss()</script>',
  '--><script>xss()</script>',
  ']]><script>xss()</script>',
  '<img src=x onerror=xss()>',
  '<img src=x onerror="xss()"//',
  '"><img src=x onerror=xss()>',
  "'><img src=x onerror=xss()>",
  '`><img src=x onerror=xss()>',
  '<svg onload=xss()>',
  '<svg><script>xss()</script></svg>',
  '<svg><animate onbegin=xss() attributeName=x dur=1s>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=xss()>#x">',
  '<body onload=xss()>',
  '<iframe srcdoc="<script>parent.xss()</script>">',
  '<iframe src="javascript:parent.xss()">',
  '<object data="javascript:xss()">',
  '<embed src="javascript:xss()">',
  '<video src=x onerror=xss()>',
  '<video><source onerror=xss()></video>',
  '<audio src=x onerror=xss()>',
  '<input autofocus onfocus=xss()>',
  '<details open ontoggle=xss()>',
  '<marquee onstart=xss()>',
  '<a href="javascript:xss()">x</a>',
  'javascript:xss()',
  'data:text/html,<script>xss()</script>',
  '" onmouseover="xss()" x="',
  "' autofocus onfocus='xss()' x='",
  '{{constructor.constructor("xss()")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is one of the attacks
  '${xss()}',
  '#{xss()}',
  '<%= xss() %>',
  '&lt;script&gt;xss()&lt;/script&gt;',
  '\\u003cscript\\u003exss()\\u003c/script\\u003e',
  '<style>@import "javascript:xss()";</style><link rel=stylesheet href="javascript:xss()">',
];

useBrowser();

/** The content security policy would stop injected code. The console must be safe without it too. */
async function openWithoutPolicy(refusals: readonly number[] = []) {
  const opened = await openConsole({ bypassCSP: true, refusals });
  await opened.page.evaluate('window.ran = []; window.xss = () => window.ran.push(1)');
  return opened;
}

/** Expects all texts to be readable and none to run, even when the mouse is over each element. */
async function expectTextOnly(page: Page, texts: readonly string[]): Promise<void> {
  const shown = await page.locator('body').innerText();
  for (const text of texts) expect(shown).toContain(text);
  await page.evaluate(`for (const each of document.querySelectorAll('main *')) {
    each.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
  }`);
  expect(await page.evaluate('window.ran.length')).toBe(0);
}

/** A provider writes parts of these fields, so they may contain anything. */
const text = VECTORS.join(' ');
const HOSTILE_JOB = {
  id: text,
  polling_url: text,
  status: 'failed',
  model: text,
  created_at: '2026-01-01T00:00:00Z',
  estimated_cost: 0,
  max_cost: 0,
  error: text,
  error_details: { type: 'moderation', message: text, retryable: false },
  warnings: VECTORS,
  metadata: { prompt: text },
  data: VECTORS.map((detail) => ({ at: '2026-01-01T00:00:00Z', status: text, detail })),
};

/** All vectors in as few texts as the length limit allows. */
function packed(longest: number): string[] {
  const texts: string[] = [];
  for (const vector of VECTORS) {
    const longer = `${texts.at(-1)} ${vector}`;
    if (texts.length > 0 && longer.length <= longest) texts[texts.length - 1] = longer;
    else texts.push(vector);
  }
  return texts;
}

let workspace: { id: string; slug: string; key: string };
beforeAll(async () => {
  const key = stage.managementKey;
  const slug = `hostile-${crypto.randomUUID()}`;
  const created = await call('POST', '/workspaces', { key, json: { name: VECTORS[0], slug } });
  const { id } = created.body.data;
  const issued = await call('POST', '/keys', { key, json: { name: VECTORS[1], workspace_id: id } });
  workspace = { id, slug, key: issued.body.key };
});

test('there are forty of them', () => {
  expect(new Set(VECTORS).size).toBe(40);
});

describe('what others wrote is shown as they wrote it', () => {
  test('prompts', async () => {
    const { key } = workspace;
    for (const prompt of VECTORS) {
      const json = {
        model: 'sandbox/clip-1',
        prompt,
        duration: 1,
        resolution: '360p',
        metadata: { prompt },
        // The provider refuses it at once, so nothing is rendered.
        provider: { options: { sandbox: { submit: 402 } } },
      };
      expect(await call('POST', '/videos', { key, json })).toMatchObject({ status: 202 });
    }
    const { page } = await openWithoutPolicy();
    await signIn(page, key);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page
      .locator('.gallery > li')
      .nth(VECTORS.length - 1)
      .waitFor();
    await expectTextOnly(page, VECTORS);
    await page.locator('.gallery a').first().click();
    await page.getByRole('tab', { name: 'Steps' }).waitFor();
    await expectTextOnly(page, []);
    await page.close();
  });

  test('filenames', async () => {
    // A file name must not begin or end with a slash, or contain two in a row.
    const names = VECTORS.map((vector) => vector.replaceAll(/\/+/g, '/').replace(/\/$/, ''));
    for (const name of names) {
      expect(
        await call('POST', '/files', { key: workspace.key, body: form('x', `${name}.txt`) }),
      ).toMatchObject({
        status: 200,
      });
    }
    const { page } = await openWithoutPolicy();
    await signIn(page, workspace.key);
    await goTo(page, '/files', 'Files');
    await page.getByRole('row').nth(names.length).waitFor();
    await expectTextOnly(page, names);
    await page
      .getByRole('button', { name: /^Actions for / })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expectTextOnly(page, []);
    await page.close();
  });

  test('a private log', async () => {
    const { id, slug, key } = workspace;
    const settings = { is_observability_io_logging_enabled: true };
    await call('PATCH', `/workspaces/${slug}`, { key: stage.managementKey, json: settings });
    const prompt = VECTORS.join('\n');
    const json = { model: 'sandbox/clip-1', prompt, duration: 1, resolution: '360p' };
    const { body } = await call('POST', '/videos', { key, json });
    const { generation_id: generation } = (await endedVideo(body.id, key)).body;
    await until(
      () =>
        call('GET', `/generation/content?id=${generation}&workspace_id=${id}`, { key: stage.managementKey }),
      ({ status }) => status === 200,
    );
    const { page } = await openWithoutPolicy();
    await signIn(page, stage.managementKey);
    await page.getByLabel('Workspace', { exact: true }).selectOption(id);
    await goTo(page, `/videos/${body.id}`, body.id);
    await page.getByRole('tab', { name: 'Private log' }).click();
    await page.getByRole('button', { name: 'Show private log' }).click();
    await page.getByTestId('logged').waitFor();
    await expectTextOnly(page, VECTORS);
    await page.close();
  });

  test('the names of keys', async () => {
    const { id } = workspace;
    for (const name of packed(100)) {
      const json = { name, workspace_id: id };
      expect(await call('POST', '/keys', { key: stage.managementKey, json })).toMatchObject({ status: 201 });
    }
    const { page } = await openWithoutPolicy();
    await signIn(page, stage.managementKey);
    await page.getByLabel('Workspace', { exact: true }).selectOption(id);
    await goTo(page, '/keys', 'Keys');
    await page.getByRole('rowheader', { name: VECTORS.at(-1)! }).waitFor();
    await expectTextOnly(page, VECTORS);
    // Changes that wait for an approval may stand above the keys.
    await page
      .getByRole('button', { name: /^Actions for / })
      .last()
      .click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await expectTextOnly(page, []);
    await page.close();
  });

  test('what is sent to webhooks', async () => {
    const { key } = workspace;
    const notes = packed(512).map((note, place) => [`note ${place}`, note]);
    const json = {
      model: 'sandbox/clip-1',
      prompt: 'x',
      duration: 1,
      resolution: '360p',
      metadata: Object.fromEntries(notes),
      provider: { options: { sandbox: { submit: 402 } } },
    };
    const { body } = await call('POST', '/videos', { key, json });
    await endedVideo(body.id, key);
    // Jobs of the other tests may end later too: the event need not be the newest of the workspace.
    const later = await call('POST', '/videos', { key, json: { ...json, metadata: {} } });
    await endedVideo(later.body.id, key);
    const { page } = await openWithoutPolicy();
    await signIn(page, stage.managementKey);
    await page.getByLabel('Workspace', { exact: true }).selectOption(workspace.id);
    const payload = page.locator('.delivery', { hasText: body.id }).getByText('Payload');
    for (const [path, heading] of [
      [`/videos/${body.id}`, body.id],
      ['/settings/webhook', 'Settings'],
    ] as const) {
      await goTo(page, path, heading);
      if (heading === body.id) await page.getByRole('tab', { name: 'Webhook' }).click();
      await payload.click();
      await expectTextOnly(
        page,
        VECTORS.map((vector) => JSON.stringify(vector).slice(1, -1)),
      );
    }
    await page.close();
  });

  test('the names of workspaces', async () => {
    for (const name of VECTORS) {
      const slug = `x-${crypto.randomUUID()}`;
      const json = { name, slug, description: name };
      expect(await call('POST', '/workspaces', { key: stage.managementKey, json })).toMatchObject({
        status: 201,
      });
    }
    const { page } = await openWithoutPolicy();
    await signIn(page, stage.managementKey);
    await goTo(page, '/workspaces', 'Workspaces');
    await page.getByRole('link', { name: VECTORS[2]! }).first().waitFor();
    await expectTextOnly(page, VECTORS);
    await page.getByRole('link', { name: VECTORS[2]! }).first().click();
    await page.getByRole('heading', { name: 'General' }).waitFor();
    await expectTextOnly(page, [VECTORS[2]!]);
    await page.close();
  });

  test('errors, of an API that says anything', async () => {
    const { page } = await openWithoutPolicy([400]);
    await signIn(page, workspace.key);
    await page.route('**/api/v1/files**', (route) =>
      route.fulfill({
        status: 400,
        headers: { 'x-request-id': '<img src=x onerror=xss()>' },
        json: { error: { code: 400, message: VECTORS.join(' '), metadata: { resets_at: VECTORS[0] } } },
      }),
    );
    await page.evaluate("location.hash = '/files'");
    await page.getByRole('alert').waitFor();
    await expectTextOnly(page, VECTORS);
    await page.route('**/api/v1/videos/vid_hostile**', (route) => route.fulfill({ json: HOSTILE_JOB }));
    await goTo(page, '/videos/vid_hostile', VECTORS[0]!);
    await page.getByText('Cause: moderation').waitFor();
    await expectTextOnly(page, VECTORS);
    await page.close();
  });
});
