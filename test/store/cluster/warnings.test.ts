import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { SCHEDULE } from '#kinds/snapshot-schedule/resources.ts';
import { onLoopback } from '#test/support/on-loopback.ts';
import { openOn } from './support.ts';

/** A server whose lists are empty and come with a warning, in the bytes that an API server sends. */
async function warning(header: string): Promise<string> {
  const server = createServer((_request, reply) => {
    reply.setHeader('Warning', Buffer.from(header, 'utf8').toString('latin1'));
    reply.setHeader('Content-Type', 'application/json');
    // Together with a text, headers would be sent in its encoding.
    reply.end(Buffer.from(JSON.stringify({ kind: 'List', metadata: {}, items: [] })));
  });
  return `http://${await onLoopback(server)}`;
}

test.each([
  ['299 - "uses \\"old\\" words"', ['uses "old" words']],
  ['299 - "größer als erlaubt, 多すぎる"', ['größer als erlaubt, 多すぎる']],
  ['299 - "one", 299 - "two"', ['one', 'two']],
])('the warning %s is told as it was meant', async (header, texts) => {
  const store = openOn(await warning(header));
  await store.list(SCHEDULE);
  await store.close();
  const told = store.diagnostics().map(({ code, severity, what }) => `${severity} ${code}: ${what}`);
  expect(told).toEqual(texts.map((text) => `warning ServerWarning: the server warns: ${text}`));
});
