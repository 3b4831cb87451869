import { describe, expect, test } from 'vitest';
import { nodeProblem } from '#cli/node-version.ts';

describe('the Node that it takes', () => {
  test.each(['22.15.0', '22.22.1', '23.8.0', '24.0.0', '25.0.0-nightly', '100.1.0'])(
    '%s will do',
    (version) => expect(nodeProblem(version)).toBeUndefined(),
  );

  test.each(['18.20.8', '20.20.2', '21.9.9', '22.0.0', '22.14.1', '23.0.0', '23.7.0', 'unknown'])(
    '%s will not, and the way out is told',
    (version) =>
      expect(nodeProblem(version)).toBe(
        `minutehand needs Node 22.15, 23.8 or later, and this is ${version}; install one of these; only in a clone of its repository \`npm ci\` brings one, for \`npm run\` and \`npx\` there`,
      ),
  );

  test('is the one that runs this', () => expect(nodeProblem(process.versions.node)).toBeUndefined());
});
