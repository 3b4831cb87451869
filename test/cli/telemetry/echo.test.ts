import { describe, expect, test } from 'vitest';
import { type Received, startReceiver } from '#test/support/receiver.ts';
import { freshTick } from './ticking.ts';

const ESCAPES = '\u001b[31m\u001b]0;title\u0007';

/** All that was sent, with what a terminal obeys, a line that was never said, and no end. */
function echo({ headers, path }: Received): string {
  const sent = [headers.authorization, headers['x-key'], path].join(' ');
  return `${ESCAPES}sent ${sent}\nerror: forged line\n::error::forged\u202e ${'long '.repeat(100)}`;
}

/** What a note says behind the name of the receiver. */
const TOLD = /did not go through: (the answer was 500: .*)$/;

function reasonsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => TOLD.exec(line)?.[1] ?? []);
}

describe('a receiver that repeats what it was sent', () => {
  test.each(['text', 'json'])('says no secret, and has one short line, in the log as %s', async (format) => {
    const { url, received } = await startReceiver({ status: 500, text: echo });
    const withUser = url.replace('//', '//5ecret-user:5ecret-word@');
    const { code, stdout, stderr } = await freshTick(
      [
        '--log-format',
        format,
        '--ping',
        `${url}/5ecret-id?5ecret=5ecret`,
        '--pushgateway',
        `${withUser}/5ecret-way`,
      ],
      {
        env: {
          OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/5ecret-path`,
          OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%205ecret-token,x-key=5ecret-key',
        },
      },
    );
    expect([code, received.length]).toEqual([0, 3]);
    expect(received.filter(({ path, headers }) => /5ecret/.test(path + headers['x-key']))).toHaveLength(3);
    const all = stdout + stderr;
    expect(all).not.toContain('5ecret');
    expect(all).not.toContain(btoa('5ecret-user:5ecret-word'));
    expect(all).not.toMatch(/[^\P{C}\n]/u);
    const lines = all.split('\n');
    expect(lines.filter((line) => /^(error|::)/.test(line))).toEqual([]);
    const said =
      format === 'text' ? lines : lines.filter(Boolean).map((line) => String(JSON.parse(line).msg));
    const reasons = reasonsIn(said);
    expect(reasons).toHaveLength(3);
    for (const reason of reasons) {
      expect(reason).toContain('\\x1b[31m\\x1b]0;title\\x07sent ');
      expect(reason).toContain('***');
      expect(reason).toContain('\\nerror: forged line');
      expect([...reason].length).toBe(200);
    }
  });
});
